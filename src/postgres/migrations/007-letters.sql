-- Mail to people about their accounts, until it is sent: it holds a link, so only a sealed text is kept.
CREATE TABLE letters (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL DEFAULT gen_random_uuid(), -- stays the same over retries
  content text NOT NULL, -- encrypted
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL -- when its link dies
);
CREATE INDEX letters_due ON letters (next_attempt_at);
