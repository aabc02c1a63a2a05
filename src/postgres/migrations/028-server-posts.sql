-- What status_post_incidents is for monitors. An outage of a server may have several incidents, one for each condition.
CREATE TABLE status_post_server_incidents (
  page_id int NOT NULL REFERENCES status_pages ON DELETE CASCADE,
  server_incident_id bigint NOT NULL REFERENCES server_incidents ON DELETE CASCADE,
  post_id int REFERENCES status_posts ON DELETE SET NULL,
  PRIMARY KEY (page_id, server_incident_id)
);
CREATE INDEX status_post_server_incidents_of_incident ON status_post_server_incidents (server_incident_id);
CREATE INDEX status_post_server_incidents_of_post ON status_post_server_incidents (post_id);
