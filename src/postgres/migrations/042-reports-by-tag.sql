-- A report may go by tags instead of ids: it is about what carries all of them when it is made.
ALTER TABLE reports ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
