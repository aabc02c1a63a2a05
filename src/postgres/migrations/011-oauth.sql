-- Programs that people let in by signing in (OAuth 2.1) ---------------------------------------------------

-- A program that introduced itself (RFC 7591), or whose id is the address of its description.
CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamptz NOT NULL,
  described_at timestamptz, -- when its description was read; null where it introduced itself
  last_used_at timestamptz
);

-- The token of a program is what a person allowed it: one row, whose hash changes as the program renews it.
ALTER TABLE tokens ADD COLUMN client_id text REFERENCES oauth_clients ON DELETE SET NULL;
ALTER TABLE tokens ADD COLUMN resource text CHECK (resource IN ('api', 'mcp')); -- null: made by hand, good for both
ALTER TABLE tokens ADD COLUMN access text CHECK (access IN ('read', 'write')); -- at most; null: what the role may
ALTER TABLE tokens ADD COLUMN access_expires_at timestamptz; -- until it has to be renewed
CREATE INDEX tokens_client ON tokens (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX tokens_connected ON tokens (user_id) WHERE resource IS NOT NULL;

-- What was allowed, until the program comes for its token. A code that was used stays for a while, to be recognised.
CREATE TABLE oauth_codes (
  code_hash bytea PRIMARY KEY,
  client_id text NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  resource text NOT NULL,
  access text NOT NULL,
  expires_at timestamptz NOT NULL,
  token_id int REFERENCES tokens ON DELETE CASCADE -- what it was used for
);
CREATE INDEX oauth_codes_client ON oauth_codes (client_id);
CREATE INDEX oauth_codes_user ON oauth_codes (user_id);
CREATE INDEX oauth_codes_token ON oauth_codes (token_id);

-- Each renews its token once; one that comes again was stolen, or its successor was.
CREATE TABLE oauth_refresh_tokens (
  token_hash bytea PRIMARY KEY,
  token_id int NOT NULL REFERENCES tokens ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_refresh_tokens_token ON oauth_refresh_tokens (token_id);
CREATE INDEX oauth_refresh_tokens_expiry ON oauth_refresh_tokens (expires_at);
