-- Whether an address wants a team's alerts, where everybody may sign up: it is asked once, and gets nothing else until
-- it says so. Only its hash is kept.
CREATE TABLE agreements (
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  address_hash bytea NOT NULL,
  link_hash bytea NOT NULL UNIQUE,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL, -- when the link dies, and the address may be asked again
  agreed_at timestamptz,
  PRIMARY KEY (team_id, address_hash)
);

-- The address that has to agree before this contact is mailed; null where nobody has to, as in all that are there.
ALTER TABLE contacts ADD COLUMN unagreed_hash bytea;

-- How many mails an address got in the hour, alerts and letters apart, and when what came beyond the bound goes, or
-- went last, as a digest.
CREATE TABLE mailboxes (
  mailbox_hash bytea PRIMARY KEY,
  hour_began_at timestamptz NOT NULL,
  sent int NOT NULL,
  digest_at timestamptz
);

-- Of an alert that waits for a digest: whose, and the `message_id` of the one in it that leads the sending.
ALTER TABLE deliveries ADD COLUMN mailbox_hash bytea, ADD COLUMN digest uuid;
CREATE INDEX deliveries_gathered ON deliveries (mailbox_hash) WHERE mailbox_hash IS NOT NULL AND state = 'pending';
CREATE INDEX deliveries_in_digest ON deliveries (digest) WHERE digest IS NOT NULL AND state = 'pending';

-- Of a letter that holds all that came beyond the bound of a mailbox: whose.
ALTER TABLE letters ADD COLUMN mailbox_hash bytea;
CREATE INDEX letters_gathered ON letters (mailbox_hash) WHERE mailbox_hash IS NOT NULL;
