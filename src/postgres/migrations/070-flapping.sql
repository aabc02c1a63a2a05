-- More than so many changes in so many minutes make something flap: its alerts wait then. Null: a team wants every alert.
-- The release before: it does not know these columns, and leaves both empty.
ALTER TABLE teams
  ADD COLUMN flap_changes smallint,
  ADD COLUMN flap_minutes smallint,
  ADD CONSTRAINT teams_flapping CHECK (num_nulls(flap_changes, flap_minutes) IN (0, 2)
    AND flap_changes BETWEEN 2 AND 50 AND flap_minutes BETWEEN 1 AND 1440);

-- Why the alert of an incident waits or came to nobody, beside `held_by`.
ALTER TABLE team_incidents ADD COLUMN while_flapping boolean NOT NULL DEFAULT false;

-- Whatever flaps, or did last: one row for each subject, or part of one, that has incidents of its own. The release before
-- tells each change; it cannot read alerts that something flaps, which no team has before it turns this on.
CREATE TABLE flaps (
  id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  kind text NOT NULL,
  subject_id int NOT NULL,
  -- The part of the subject, as its incidents have it; empty: all of it.
  about text NOT NULL,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  since timestamptz NOT NULL,
  ended_at timestamptz,
  changes int NOT NULL,
  -- The incident whose alert said that it flaps, and the one that was open when it was steady again.
  team_incident_id bigint NOT NULL,
  left_open bigint,
  -- The alert of the last incident that waits.
  alert jsonb NOT NULL,
  look_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject_id, about),
  FOREIGN KEY (kind, subject_id) REFERENCES subjects ON DELETE CASCADE,
  FOREIGN KEY (kind, team_incident_id) REFERENCES team_incidents ON DELETE CASCADE
);
CREATE INDEX flaps_due ON flaps (look_at) WHERE ended_at IS NULL;
CREATE INDEX flaps_of_team ON flaps (team_id);
CREATE INDEX flaps_of_incident ON flaps (kind, team_incident_id);
CREATE INDEX flaps_left_open ON flaps (kind, left_open) WHERE left_open IS NOT NULL;
