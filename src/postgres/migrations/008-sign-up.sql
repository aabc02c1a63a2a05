-- An account that somebody asked for where everybody may, until they show that they read mail to its address.
CREATE TABLE sign_ups (
  token_hash bytea PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ups_email ON sign_ups (lower(email));

-- When somebody made the account for themselves; null when somebody made it for them.
ALTER TABLE users ADD COLUMN signed_up_at timestamptz;
