-- Processes that probe and may not reach the database: the API stands for them here. A token is good for one region.
CREATE TABLE probe_tokens (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  region text NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE, -- SHA-256: the token itself is not kept
  ending text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- By which token a member asks; null for one that works on this database itself.
ALTER TABLE probers ADD COLUMN probe_token int REFERENCES probe_tokens;
CREATE INDEX probers_probe_token ON probers (probe_token);

-- How far the results of one run of such a process are stored: it sends what comes after that.
CREATE TABLE probe_sessions (
  id uuid PRIMARY KEY,
  probe_token int NOT NULL REFERENCES probe_tokens,
  acknowledged bigint NOT NULL DEFAULT 0,
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- What such a process held under a membership, and until when: its results may come after the membership has ended.
CREATE TABLE probe_holdings (
  membership bigint NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL, -- when it was last confirmed, or handed over
  probe_token int NOT NULL REFERENCES probe_tokens,
  slots smallint[] NOT NULL,
  PRIMARY KEY (membership, since)
);
CREATE INDEX probe_holdings_token ON probe_holdings (probe_token, until);
