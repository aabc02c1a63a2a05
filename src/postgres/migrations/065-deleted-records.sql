-- Records that people deleted, as they were, so that a deletion can be taken back for an hour. Sealed values stay sealed.
CREATE TABLE deleted_records (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  kind text NOT NULL,
  record_id int NOT NULL,
  deleted_at timestamptz NOT NULL,
  content jsonb NOT NULL, -- rows by table
  UNIQUE (team_id, kind, record_id)
);
CREATE INDEX deleted_records_by_time ON deleted_records (deleted_at);

-- Everybody who acted in a team, without reading all that they did.
CREATE INDEX audit_entries_of_actor ON audit_entries (team_id, user_id, id DESC);

-- Since when this member does without the first steps of the team.
ALTER TABLE members ADD COLUMN first_steps_hidden_at timestamptz;
