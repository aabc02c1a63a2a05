-- A migration locks first what it names: what is dropped here refers to servers and sites, and what is made to subjects.

-- A line for each change of status, so that uptime by time can be worked out. `pending`: paused, not yet looked at, or nobody
-- looked. Monitors have none: their checks say it. The release before says ON CONFLICT (server_id, at), which wants a unique
-- index on those columns alone: so each kind is a partition, and its view shows that one.
CREATE TABLE subject_status_changes (
  kind text NOT NULL,
  subject_id int NOT NULL,
  at timestamptz NOT NULL,
  status text NOT NULL,
  PRIMARY KEY (kind, subject_id, at),
  FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE
) PARTITION BY LIST (kind);
CREATE TABLE subject_status_changes_of_servers PARTITION OF subject_status_changes (kind DEFAULT 'server',
  UNIQUE (subject_id, at)) FOR VALUES IN ('server');
CREATE TABLE subject_status_changes_of_sites PARTITION OF subject_status_changes (kind DEFAULT 'site',
  UNIQUE (subject_id, at)) FOR VALUES IN ('site');
INSERT INTO subject_status_changes (kind, subject_id, at, status)
  SELECT 'server', server_id, at, status FROM server_status_changes
  UNION ALL SELECT 'site', site_id, at, status FROM site_status_changes;
DROP TABLE server_status_changes, site_status_changes;
CREATE VIEW server_status_changes AS
  SELECT subject_id AS server_id, at, status FROM subject_status_changes_of_servers;
CREATE VIEW site_status_changes AS
  SELECT subject_id AS site_id, at, status FROM subject_status_changes_of_sites;
