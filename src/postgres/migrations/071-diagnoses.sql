-- Why a monitor is down: asked for when an incident opens, or by a person, and collected by a process that checks. One row
-- for an incident; it goes with the incident.
-- The release before: it does not know this table, and asks for none.
CREATE TABLE diagnoses (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  kind text NOT NULL DEFAULT 'monitor' CHECK (kind = 'monitor'),
  team_incident_id bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  -- It is begun until then, or not at all.
  expires_at timestamptz NOT NULL,
  -- The membership of the prober that is at it. No reference: probers are no part of a backup, and a claim ends by its time.
  claimed_by bigint,
  began_at timestamptz,
  ended_at timestamptz,
  -- What was found, secrets masked where it was received; that of the time before, while another one is asked for.
  found jsonb CHECK (octet_length(found::text) <= 131072),
  UNIQUE (kind, team_incident_id),
  FOREIGN KEY (kind, team_incident_id) REFERENCES team_incidents ON DELETE CASCADE
);
CREATE INDEX diagnoses_waiting ON diagnoses (expires_at) WHERE claimed_by IS NULL AND ended_at IS NULL;
-- One at a time of each team.
CREATE UNIQUE INDEX diagnoses_under_way ON diagnoses (team_id) WHERE claimed_by IS NOT NULL;
CREATE INDEX diagnoses_of_team ON diagnoses (team_id);
CREATE INDEX diagnoses_of_monitor ON diagnoses (monitor_id, asked_at);
