-- The key pair that push services of browsers know this installation by (VAPID, RFC 8292), made once.
CREATE TABLE push_keys (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  public_key text NOT NULL,
  private_key text NOT NULL, -- encrypted
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The member whose browser a contact is; it goes when the person leaves the team. Null for all other contacts.
ALTER TABLE contacts
  ADD COLUMN user_id int REFERENCES users ON DELETE CASCADE,
  ADD CONSTRAINT contacts_of_member FOREIGN KEY (team_id, user_id) REFERENCES members ON DELETE CASCADE;
CREATE INDEX contacts_of_user ON contacts (user_id) WHERE user_id IS NOT NULL;
