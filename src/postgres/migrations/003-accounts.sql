-- People who sign in ----------------------------------------------------------------------------------------

-- What the start prints while there is no account; whoever has it makes the first one. Only the hash is kept.
CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- A browser that is signed in; the cookie's hash, so that a stolen database opens no door.
CREATE TABLE sessions (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  team_id int REFERENCES teams ON DELETE SET NULL, -- the team it looks at
  token_hash bytea NOT NULL UNIQUE,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);

-- A link that shows that its holder reads an address; it counts while the account still has that address.
CREATE TABLE email_links (
  token_hash bytea PRIMARY KEY,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  expires_at timestamptz NOT NULL
);
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;
CREATE INDEX password_links_user ON password_links (user_id);
CREATE INDEX email_links_user ON email_links (user_id);

-- An app that shows codes (RFC 6238); it counts once one of its codes was entered.
CREATE TABLE authenticators (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  secret text NOT NULL, -- encrypted
  confirmed_at timestamptz,
  last_step bigint -- of the last code that was taken: none is taken twice
);

-- Each stands in once for a code of an app that was lost.
CREATE TABLE recovery_codes (
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  credential_id text NOT NULL UNIQUE, -- base64url
  public_key bytea NOT NULL, -- COSE
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- What a passkey is asked to sign, once; of nobody when it signs in.
CREATE TABLE passkey_challenges (
  challenge_hash bytea PRIMARY KEY,
  user_id int REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
