-- Every certificate that a monitor has warned of and that has not expired yet: several may stand behind one name.
-- The release before keeps the last one, in warned_certificate, and goes on working beside.
ALTER TABLE monitor_state ADD COLUMN warned_certificates jsonb;
