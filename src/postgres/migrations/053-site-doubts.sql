-- Trouble that one look at an area has seen, and that a second one is to confirm.
ALTER TABLE site_areas ADD COLUMN doubt text, ADD COLUMN doubted_at timestamptz;
