-- Writers wait from here on: what they add later would be missing below. Records come first, as they do where records and
-- what is linked to them are written together.
LOCK TABLE monitors, servers, sites, contacts, escalation_policies, maintenance_windows IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE monitor_contacts, server_contacts, site_contacts, monitor_policies, server_policies, site_policies,
  maintenance_window_monitors, maintenance_window_servers, maintenance_window_sites IN ACCESS EXCLUSIVE MODE;

-- What monitors, servers and sites have in common. Whatever any of them may have refers to it by kind and id.
CREATE TABLE subjects (
  kind text NOT NULL CHECK (kind IN ('monitor', 'server', 'site')),
  id int NOT NULL,
  team_id int NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (kind, id)
);
CREATE INDEX subjects_of_team ON subjects (team_id, kind);

-- Triggers keep it, so that it is right whoever writes a record.
CREATE OR REPLACE FUNCTION add_subjects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO subjects (kind, id, team_id, name, created_at, deleted_at)
    SELECT TG_ARGV[0], id, team_id, name, created_at, deleted_at FROM added;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION change_subject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE subjects SET name = NEW.name, created_at = NEW.created_at, deleted_at = NEW.deleted_at
    WHERE kind = TG_ARGV[0] AND id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION remove_subjects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM subjects s USING removed WHERE s.kind = TG_ARGV[0] AND s.id = removed.id;
  RETURN NULL;
END $$;
-- The release before: its rows are taken as they were, and get a subject.
DO $$ DECLARE one text; BEGIN
  FOREACH one IN ARRAY ARRAY['monitor', 'server', 'site'] LOOP
    EXECUTE format('CREATE TRIGGER add_subjects AFTER INSERT ON %I REFERENCING NEW TABLE AS added
      EXECUTE FUNCTION add_subjects(%L)', one || 's', one);
    EXECUTE format('CREATE TRIGGER change_subject AFTER UPDATE OF name, created_at, deleted_at ON %I FOR EACH ROW
      WHEN ((OLD.name, OLD.created_at, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.created_at, NEW.deleted_at))
      EXECUTE FUNCTION change_subject(%L)', one || 's', one);
    EXECUTE format('CREATE TRIGGER remove_subjects AFTER DELETE ON %I REFERENCING OLD TABLE AS removed
      EXECUTE FUNCTION remove_subjects(%L)', one || 's', one);
  END LOOP;
END $$;
INSERT INTO subjects (kind, id, team_id, name, created_at, deleted_at)
  SELECT 'monitor', id, team_id, name, created_at, deleted_at FROM monitors
  UNION ALL SELECT 'server', id, team_id, name, created_at, deleted_at FROM servers
  UNION ALL SELECT 'site', id, team_id, name, created_at, deleted_at FROM sites;

-- One table takes the place of three. The names of those are views, by which the release before reads and writes it.
CREATE TABLE subject_contacts (
  kind text NOT NULL,
  subject_id int NOT NULL,
  contact_id int NOT NULL REFERENCES contacts ON DELETE CASCADE,
  PRIMARY KEY (kind, subject_id, contact_id),
  FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE
);
INSERT INTO subject_contacts (kind, subject_id, contact_id)
  SELECT 'monitor', monitor_id, contact_id FROM monitor_contacts
  UNION ALL SELECT 'server', server_id, contact_id FROM server_contacts
  UNION ALL SELECT 'site', site_id, contact_id FROM site_contacts;
CREATE INDEX subject_contacts_of_contact ON subject_contacts (contact_id);
DROP TABLE monitor_contacts, server_contacts, site_contacts;
CREATE VIEW monitor_contacts AS
  SELECT subject_id AS monitor_id, contact_id, kind FROM subject_contacts WHERE kind = 'monitor';
CREATE VIEW server_contacts AS
  SELECT subject_id AS server_id, contact_id, kind FROM subject_contacts WHERE kind = 'server';
CREATE VIEW site_contacts AS
  SELECT subject_id AS site_id, contact_id, kind FROM subject_contacts WHERE kind = 'site';
ALTER VIEW monitor_contacts ALTER kind SET DEFAULT 'monitor';
ALTER VIEW server_contacts ALTER kind SET DEFAULT 'server';
ALTER VIEW site_contacts ALTER kind SET DEFAULT 'site';

CREATE TABLE maintenance_window_subjects (
  window_id int NOT NULL REFERENCES maintenance_windows ON DELETE CASCADE,
  kind text NOT NULL,
  subject_id int NOT NULL,
  PRIMARY KEY (window_id, kind, subject_id),
  FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE
);
INSERT INTO maintenance_window_subjects (window_id, kind, subject_id)
  SELECT window_id, 'monitor', monitor_id FROM maintenance_window_monitors
  UNION ALL SELECT window_id, 'server', server_id FROM maintenance_window_servers
  UNION ALL SELECT window_id, 'site', site_id FROM maintenance_window_sites;
CREATE INDEX maintenance_window_subjects_of_subject ON maintenance_window_subjects (kind, subject_id);
DROP TABLE maintenance_window_monitors, maintenance_window_servers, maintenance_window_sites;
CREATE VIEW maintenance_window_monitors AS
  SELECT window_id, subject_id AS monitor_id, kind FROM maintenance_window_subjects WHERE kind = 'monitor';
CREATE VIEW maintenance_window_servers AS
  SELECT window_id, subject_id AS server_id, kind FROM maintenance_window_subjects WHERE kind = 'server';
CREATE VIEW maintenance_window_sites AS
  SELECT window_id, subject_id AS site_id, kind FROM maintenance_window_subjects WHERE kind = 'site';
ALTER VIEW maintenance_window_monitors ALTER kind SET DEFAULT 'monitor';
ALTER VIEW maintenance_window_servers ALTER kind SET DEFAULT 'server';
ALTER VIEW maintenance_window_sites ALTER kind SET DEFAULT 'site';

-- The release before says ON CONFLICT (server_id), which wants a unique index on that column alone: so each kind is a
-- partition, and its view shows that one.
CREATE TABLE subject_policies (
  kind text NOT NULL,
  subject_id int NOT NULL,
  policy_id int NOT NULL REFERENCES escalation_policies ON DELETE CASCADE,
  PRIMARY KEY (kind, subject_id),
  FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE
) PARTITION BY LIST (kind);
CREATE TABLE subject_policies_of_monitors PARTITION OF subject_policies (kind DEFAULT 'monitor', UNIQUE (subject_id))
  FOR VALUES IN ('monitor');
CREATE TABLE subject_policies_of_servers PARTITION OF subject_policies (kind DEFAULT 'server', UNIQUE (subject_id))
  FOR VALUES IN ('server');
CREATE TABLE subject_policies_of_sites PARTITION OF subject_policies (kind DEFAULT 'site', UNIQUE (subject_id))
  FOR VALUES IN ('site');
INSERT INTO subject_policies (kind, subject_id, policy_id)
  SELECT 'monitor', monitor_id, policy_id FROM monitor_policies
  UNION ALL SELECT 'server', server_id, policy_id FROM server_policies
  UNION ALL SELECT 'site', site_id, policy_id FROM site_policies;
CREATE INDEX subject_policies_of_policy ON subject_policies (policy_id);
DROP TABLE monitor_policies, server_policies, site_policies;
CREATE VIEW monitor_policies AS SELECT subject_id AS monitor_id, policy_id FROM subject_policies_of_monitors;
CREATE VIEW server_policies AS SELECT subject_id AS server_id, policy_id FROM subject_policies_of_servers;
CREATE VIEW site_policies AS SELECT subject_id AS site_id, policy_id FROM subject_policies_of_sites;
