-- Trouble that one look at an area has seen, and that a second one is to confirm.
ALTER TABLE site_areas ADD COLUMN doubt text, ADD COLUMN doubted_at timestamptz;
-- Requests at the address of a server of which nothing could be kept.
ALTER TABLE server_state ADD COLUMN not_understood jsonb;
