-- The values before and after a change, of the fields whose values are no secret.
ALTER TABLE audit_entries ADD COLUMN changes jsonb;
-- Where a token was used last, and by what: an address, and how the program calls itself.
ALTER TABLE tokens ADD COLUMN last_used_from text;
ALTER TABLE tokens ADD COLUMN last_used_by text;
