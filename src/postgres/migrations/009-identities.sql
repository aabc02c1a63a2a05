-- Who signs in by a provider (OpenID Connect): its name for them stays, whatever becomes of their address.
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_id);
