-- The zones of the IANA database in which alerts give times; null: UTC, and that of the team.
ALTER TABLE teams ADD COLUMN time_zone text;
ALTER TABLE contacts ADD COLUMN time_zone text;
