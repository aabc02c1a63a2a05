-- For members of the person's teams, who can call it: E.164. Null: none given.
ALTER TABLE users ADD COLUMN phone text;
