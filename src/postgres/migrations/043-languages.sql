-- The language that letters to a person are written in; null until a browser of theirs has said one.
ALTER TABLE users ADD COLUMN language text;
-- The language of a team's alerts, digests and reports.
ALTER TABLE teams ADD COLUMN language text NOT NULL DEFAULT 'en';
