-- A migration locks first what it names: what is dropped here refers to servers and sites, and what is made to subjects.

-- A line for each change of status, so that uptime by time can be worked out. `pending`: paused, not yet looked at, or nobody
-- looked. Monitors have none: their checks say it. The release before says ON CONFLICT (server_id, at), which wants a unique
-- index on those columns alone: so each kind is a partition, and its view shows that one.
CREATE TABLE subject_status_changes (
  kind text NOT NULL,
  subject_id int NOT NULL,
  at timestamptz NOT NULL,
  status text NOT NULL
) PARTITION BY LIST (kind);
CREATE TABLE subject_status_changes_of_servers PARTITION OF subject_status_changes (kind DEFAULT 'server')
  FOR VALUES IN ('server');
CREATE TABLE subject_status_changes_of_sites PARTITION OF subject_status_changes (kind DEFAULT 'site')
  FOR VALUES IN ('site');
INSERT INTO subject_status_changes (kind, subject_id, at, status)
  SELECT 'server', server_id, at, status FROM server_status_changes
  UNION ALL SELECT 'site', site_id, at, status FROM site_status_changes;
-- Keys are made of all rows at once, which takes a quarter of the time that each by itself takes.
ALTER TABLE subject_status_changes ADD PRIMARY KEY (kind, subject_id, at),
  ADD FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE;
ALTER TABLE subject_status_changes_of_servers ADD UNIQUE (subject_id, at);
ALTER TABLE subject_status_changes_of_sites ADD UNIQUE (subject_id, at);
DROP TABLE server_status_changes, site_status_changes;
CREATE VIEW server_status_changes AS
  SELECT subject_id AS server_id, at, status FROM subject_status_changes_of_servers;
CREATE VIEW site_status_changes AS
  SELECT subject_id AS site_id, at, status FROM subject_status_changes_of_sites;

-- Components refer to what says their state by kind and id from here on, as deliveries do. The columns for each kind stay while
-- the release before may write them or read them: a trigger keeps both equal. Values of old rows are made while the table is
-- written anew.
ALTER TABLE status_components
  ADD COLUMN kind text GENERATED ALWAYS AS (CASE WHEN monitor_id IS NOT NULL THEN 'monitor'
    WHEN server_id IS NOT NULL THEN 'server' WHEN site_id IS NOT NULL THEN 'site' END) STORED,
  ADD COLUMN subject_id int GENERATED ALWAYS AS (coalesce(monitor_id, server_id, site_id)) STORED;
-- The release before: it does not know these columns, and what it writes gets them from the trigger, both or none.
ALTER TABLE status_components ALTER kind DROP EXPRESSION, ALTER subject_id DROP EXPRESSION,
  ADD FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE,
  ADD CHECK ((kind IS NULL) = (subject_id IS NULL));
CREATE OR REPLACE FUNCTION name_component_subject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- Each release changes the columns that it knows. A new row had none before.
  IF (NEW.kind, NEW.subject_id) IS DISTINCT FROM (OLD.kind, OLD.subject_id) THEN
    NEW.monitor_id := CASE NEW.kind WHEN 'monitor' THEN NEW.subject_id END;
    NEW.server_id := CASE NEW.kind WHEN 'server' THEN NEW.subject_id END;
    NEW.site_id := CASE NEW.kind WHEN 'site' THEN NEW.subject_id END;
  ELSE
    NEW.kind := CASE WHEN NEW.monitor_id IS NOT NULL THEN 'monitor' WHEN NEW.server_id IS NOT NULL THEN 'server'
      WHEN NEW.site_id IS NOT NULL THEN 'site' END;
    NEW.subject_id := coalesce(NEW.monitor_id, NEW.server_id, NEW.site_id);
  END IF;
  RETURN NEW;
END $$;
-- The release before: the trigger leaves what it writes, and fills in the columns that are new.
CREATE TRIGGER name_component_subject BEFORE INSERT OR UPDATE ON status_components
  FOR EACH ROW EXECUTE FUNCTION name_component_subject();
CREATE INDEX status_components_of_subject ON status_components (kind, subject_id);
