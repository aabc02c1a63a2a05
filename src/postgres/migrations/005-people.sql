-- Members, and what they change ------------------------------------------------------------------------------

-- An invitation is gone once it is used or taken back. Only hashes of its secrets are kept.
CREATE TABLE invitations (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
  link_hash bytea NOT NULL UNIQUE, -- of the link that the inviter is shown
  letter_hash bytea NOT NULL UNIQUE, -- of the link that is mailed: who has it reads mail to the address
  invited_by int REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitations_once ON invitations (team_id, lower(email));

-- Who changed what. Names are those of that time; of what was sent only the names of the fields are kept.
CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  at timestamptz NOT NULL,
  user_id int REFERENCES users ON DELETE SET NULL,
  actor_name text, -- null: the operator, at the command line
  door text NOT NULL,
  action text NOT NULL,
  subject text,
  subject_id bigint,
  fields text[] NOT NULL
);
CREATE INDEX audit_entries_of_team ON audit_entries (team_id, id DESC);
