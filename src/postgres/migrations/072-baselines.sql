-- How the target of a monitor looked when a check of it passed, secrets masked: a diagnosis compares with it. One row for a
-- monitor, written when that has changed, once an hour at most, and once a day.
-- The release before: it does not know this table.
CREATE TABLE baselines (
  monitor_id int PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  -- Of the monitor: with other settings it is another target, perhaps.
  revision bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Empty where it has no name.
  region text NOT NULL,
  address text,
  server text,
  bytes bigint,
  redirect text,
  fingerprint text
);
CREATE INDEX baselines_of_team ON baselines (team_id);
