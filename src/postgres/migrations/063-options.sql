-- What a monitor has beyond the settings of every type, by name; null where nothing is set, and then nothing is stored. A secret
-- in it stands there as a mask, and its text in the other column.
ALTER TABLE monitors
  ADD COLUMN options jsonb,
  ADD COLUMN sealed_options text; -- encrypted

-- The failed attempts in a row that were not enough to make a check fail, and when a further one counts. The release before
-- knows of neither: to it the first failure counts.
ALTER TABLE monitor_state
  ADD COLUMN failed_attempts smallint NOT NULL DEFAULT 0,
  ADD COLUMN next_attempt_at timestamptz;
