-- The answers of checks that failed: that of the check which opened an incident, and the last one besides, which changes
-- when the answer does.
CREATE TABLE failing_answers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  incident_id bigint REFERENCES incidents ON DELETE CASCADE, -- that the check opened
  checked_at timestamptz NOT NULL, -- of the check
  http_status_code smallint,
  skeleton bytea NOT NULL, -- a hash: equal for answers that differ in numbers only
  answer jsonb NOT NULL
);
CREATE UNIQUE INDEX failing_answers_last ON failing_answers (monitor_id) WHERE incident_id IS NULL;
CREATE UNIQUE INDEX failing_answers_of_incident ON failing_answers (incident_id);
CREATE INDEX failing_answers_of_monitor ON failing_answers (monitor_id, checked_at);
