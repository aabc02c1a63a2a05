-- Accounts and tenants ------------------------------------------------------------------------------------

CREATE TABLE users (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

-- A link that lets its holder set a password once; only its hash is kept.
CREATE TABLE password_links (
  token_hash bytea PRIMARY KEY,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

CREATE TABLE teams (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  signing_secret text NOT NULL, -- encrypted
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE members (
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX members_user ON members (user_id);

CREATE TABLE tokens (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int REFERENCES teams ON DELETE SET NULL, -- null: pinned to no team, and refused
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  ending text NOT NULL, -- the last four characters, to recognise it by
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX tokens_team ON tokens (team_id);

-- Contacts and monitors -----------------------------------------------------------------------------------

CREATE TABLE contacts (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  config text NOT NULL, -- encrypted JSON
  notify_on_down boolean NOT NULL DEFAULT true,
  notify_on_recovery boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX contacts_team ON contacts (team_id);

-- A monitor's revision grows with every change that checking must notice.
CREATE SEQUENCE monitor_revisions;

CREATE TABLE monitors (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  url text,
  is_active boolean NOT NULL,
  check_interval_minutes smallint NOT NULL,
  check_interval_seconds int,
  http_method text NOT NULL,
  expected_status_codes smallint[] NOT NULL,
  expected_keyword text,
  port int,
  request_timeout_seconds smallint NOT NULL,
  request_headers text, -- encrypted JSON
  username text,
  password text, -- encrypted
  ssl_expiry_warning_days smallint NOT NULL,
  heartbeat_token text, -- encrypted
  heartbeat_token_hash bytea UNIQUE,
  slot smallint NOT NULL, -- which share of the work it belongs to
  revision bigint NOT NULL DEFAULT nextval('monitor_revisions'),
  changed_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX monitors_in_name_order ON monitors (team_id, (lower(name) COLLATE "C"), id) WHERE deleted_at IS NULL;
CREATE INDEX monitors_to_check ON monitors (slot) WHERE deleted_at IS NULL AND is_active;
CREATE INDEX monitors_changed ON monitors (changed_at);

CREATE TABLE monitor_contacts (
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  contact_id int NOT NULL REFERENCES contacts ON DELETE CASCADE,
  PRIMARY KEY (monitor_id, contact_id)
);
CREATE INDEX monitor_contacts_contact ON monitor_contacts (contact_id);

-- What checking changes, apart from what people change: narrow, and rewritten in place.
-- `revision` repeats the monitor's while it is checked and is null otherwise: results of another are not judged.
CREATE TABLE monitor_state (
  monitor_id int PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  revision bigint,
  status text NOT NULL DEFAULT 'pending',
  last_checked_at timestamptz,
  ssl_expires_at timestamptz,
  warned_certificate text,
  open_incident_id bigint,
  heartbeat_due_at timestamptz
) WITH (fillfactor = 50);

-- History -------------------------------------------------------------------------------------------------

CREATE TABLE checks (
  checked_at timestamptz NOT NULL,
  monitor_id int NOT NULL,
  response_time_ms int,
  dns_ms int,
  connect_ms int,
  tls_ms int,
  first_byte_ms int,
  transfer_ms int,
  http_status_code smallint,
  status text NOT NULL,
  region text,
  error_message text
) PARTITION BY RANGE (checked_at);
CREATE INDEX checks_of_monitor ON checks (monitor_id, checked_at DESC);

-- One row per monitor, hour and region; `histogram` counts response times in logarithmic buckets and merges by adding.
CREATE TABLE check_hours (
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  region text NOT NULL DEFAULT '',
  up int NOT NULL DEFAULT 0,
  degraded int NOT NULL DEFAULT 0,
  down int NOT NULL DEFAULT 0,
  pending int NOT NULL DEFAULT 0,
  response_time_sum_ms bigint NOT NULL DEFAULT 0,
  histogram int[],
  PRIMARY KEY (monitor_id, hour, region)
);

CREATE TABLE incidents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  resolved_at timestamptz,
  cause text
);
CREATE UNIQUE INDEX incidents_one_open ON incidents (monitor_id) WHERE resolved_at IS NULL;
CREATE INDEX incidents_of_monitor ON incidents (monitor_id, started_at DESC, id DESC);
CREATE INDEX incidents_of_team ON incidents (team_id, started_at DESC, id DESC);

CREATE TABLE pings (
  received_at timestamptz NOT NULL,
  monitor_id int NOT NULL,
  kind text NOT NULL,
  exit_status smallint,
  run_id uuid,
  body bytea
) PARTITION BY RANGE (received_at);
CREATE INDEX pings_of_monitor ON pings (monitor_id, received_at DESC);

-- Telling -------------------------------------------------------------------------------------------------

-- One alert to one contact: the queue and its log in one.
CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  team_id int NOT NULL REFERENCES teams ON DELETE CASCADE,
  contact_id int REFERENCES contacts ON DELETE SET NULL,
  contact_name text NOT NULL,
  contact_type text NOT NULL,
  monitor_id int REFERENCES monitors ON DELETE CASCADE,
  incident_id bigint REFERENCES incidents ON DELETE CASCADE,
  event text NOT NULL,
  alert jsonb NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (contact_id, monitor_id, id) WHERE state = 'pending';
CREATE INDEX deliveries_of_team ON deliveries (team_id, id DESC);
-- The last line of defence: an incident tells a contact of an event once.
CREATE UNIQUE INDEX deliveries_once ON deliveries (incident_id, contact_id, event);

CREATE TABLE delivery_attempts (
  delivery_id bigint NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  attempt int NOT NULL,
  attempted_at timestamptz NOT NULL,
  duration_ms int NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('sent', 'retry', 'rejected')),
  status_code smallint,
  detail text NOT NULL,
  PRIMARY KEY (delivery_id, attempt)
);

-- Running -------------------------------------------------------------------------------------------------

-- Time-limited claims of one process on a piece of work.
CREATE TABLE leases (
  name text PRIMARY KEY,
  holder uuid NOT NULL,
  expires_at timestamptz NOT NULL
);

-- When the scheduler was last known to work: time without it does not count against heartbeat jobs.
CREATE TABLE scheduler_pulse (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  alive_at timestamptz NOT NULL
);

-- Rate limits may be lost with a crash of the database; nothing else may.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points int NOT NULL DEFAULT 0,
  expire bigint
);
