-- A team may want failures confirmed before they count, and several passing checks before a monitor is up again.
-- As it is without that: one failure, one passing check.
ALTER TABLE teams
  ADD COLUMN confirmations smallint NOT NULL DEFAULT 0
    CONSTRAINT teams_confirmations CHECK (confirmations BETWEEN 0 AND 3),
  ADD COLUMN recovery_checks smallint NOT NULL DEFAULT 1
    CONSTRAINT teams_recovery_checks CHECK (recovery_checks BETWEEN 1 AND 5);

-- While a monitor is down: how many checks in a row have passed.
ALTER TABLE monitor_state ADD COLUMN passing smallint NOT NULL DEFAULT 0;

-- Attempts that one process asks other regions for. A row lives for seconds, and goes with whoever asked; with whoever
-- took it on, it is anybody's again.
CREATE TABLE confirmations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  revision bigint NOT NULL, -- of the settings that failed
  region text NOT NULL, -- from where it is to be tried
  asked_by bigint NOT NULL REFERENCES probers ON DELETE CASCADE,
  claimed_by bigint REFERENCES probers ON DELETE SET NULL,
  result jsonb, -- what was found
  expires_at timestamptz NOT NULL
);
CREATE INDEX confirmations_waiting ON confirmations (region, id) WHERE claimed_by IS NULL AND result IS NULL;
CREATE INDEX confirmations_asked_by ON confirmations (asked_by);
CREATE INDEX confirmations_claimed_by ON confirmations (claimed_by);
CREATE INDEX confirmations_monitor ON confirmations (monitor_id);
