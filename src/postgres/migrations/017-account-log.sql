-- What was done to an account, for the one whose it is.
CREATE TABLE account_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  detail text, -- what it was done to, as it was called then
  address text, -- null: not from a browser of that account
  user_agent text
);
CREATE INDEX account_events_of_user ON account_events (user_id, id DESC);

-- A link that gives the account the address it went to; otherwise one that confirms the address the account has.
ALTER TABLE email_links ADD COLUMN is_change boolean NOT NULL DEFAULT false;
