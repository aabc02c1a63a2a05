-- What status_post_server_incidents is for servers. An outage of a site may have several incidents, one for each area.
CREATE TABLE status_post_site_incidents (
  page_id int NOT NULL REFERENCES status_pages ON DELETE CASCADE,
  site_incident_id bigint NOT NULL REFERENCES site_incidents ON DELETE CASCADE,
  post_id int REFERENCES status_posts ON DELETE SET NULL,
  PRIMARY KEY (page_id, site_incident_id)
);
CREATE INDEX status_post_site_incidents_of_incident ON status_post_site_incidents (site_incident_id);
CREATE INDEX status_post_site_incidents_of_post ON status_post_site_incidents (post_id);
CREATE INDEX status_components_of_site ON status_components (site_id);

-- A line for each change, so that uptime by time can be worked out. `pending`: paused, not yet looked at, or nobody looked.
CREATE TABLE site_status_changes (
  site_id int NOT NULL REFERENCES sites ON DELETE CASCADE,
  at timestamptz NOT NULL,
  status text NOT NULL,
  PRIMARY KEY (site_id, at)
);
INSERT INTO site_status_changes (site_id, at, status)
  SELECT site_id, now(),
    (array_agg(status ORDER BY array_position(ARRAY['down', 'degraded', 'maintenance', 'up', 'pending'], status)))[1]
  FROM site_areas GROUP BY site_id;

-- The time of a site by status in a day of UTC that is over; the rest of it is unknown.
CREATE TABLE site_days (
  day timestamptz NOT NULL,
  site_id int NOT NULL REFERENCES sites ON DELETE CASCADE,
  up_ms int NOT NULL,
  degraded_ms int NOT NULL,
  down_ms int NOT NULL,
  maintenance_ms int NOT NULL,
  PRIMARY KEY (site_id, day)
);
-- What is before `site_days_until` is in site_days; null: nothing is yet.
ALTER TABLE history_progress ADD COLUMN site_days_until timestamptz;
