-- Checks of settings that are not saved yet. A row lives for a minute or two; its settings go once it is checked.
CREATE TABLE trial_checks (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE, -- who asked, and alone may read the result
  settings text, -- encrypted
  claimed_by bigint REFERENCES probers ON DELETE SET NULL,
  region text, -- that it was checked from
  result jsonb,
  checked_at timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX trial_checks_waiting ON trial_checks (id) WHERE claimed_by IS NULL AND result IS NULL;
CREATE INDEX trial_checks_claimed_by ON trial_checks (claimed_by);
CREATE INDEX trial_checks_team ON trial_checks (team_id);
CREATE INDEX trial_checks_user ON trial_checks (user_id);
