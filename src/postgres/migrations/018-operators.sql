-- Who runs the service, besides the command line: they make teams where nobody signs up, and look after accounts. Of an
-- installation that is there already, it is the oldest account: the one of its set-up.
ALTER TABLE users ADD COLUMN is_operator boolean NOT NULL DEFAULT false;
UPDATE users SET is_operator = true WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1);

-- Since when nobody gets in by the account; null for one that works.
ALTER TABLE users ADD COLUMN disabled_at timestamptz;

-- A line keeps the id of an account that was deleted, and nothing else of it.
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_user_id_fkey;
CREATE INDEX audit_entries_of_user ON audit_entries (user_id) WHERE user_id IS NOT NULL;
