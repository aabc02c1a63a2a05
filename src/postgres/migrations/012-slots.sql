-- Several processes share the checks. A monitor's slot stays its own; there are fewer of them now, because one row each
-- and region changes hands.
UPDATE monitors SET slot = slot % 256;
ALTER TABLE monitors ADD CONSTRAINT monitors_slot CHECK (slot BETWEEN 0 AND 255);

-- Processes that probe. A row is one membership: who was taken for dead and comes back gets another id, so that
-- whatever it still wants to record under the old one is refused. '' is the region of those that name none.
CREATE TABLE probers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  region text NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  joined_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  leaving boolean NOT NULL DEFAULT false -- it hands over what it holds, and takes nothing
);

-- Who checks which slot in each region that lives. A slot of somebody who goes is nobody's with the same statement.
CREATE TABLE slots (
  region text NOT NULL,
  slot smallint NOT NULL,
  holder bigint REFERENCES probers ON DELETE SET NULL,
  wanted_by bigint REFERENCES probers ON DELETE SET NULL, -- to whom the holder is to hand it over
  due_from timestamptz, -- ticks from here on were left to the holder by the one before
  cut int[] NOT NULL DEFAULT '{}', -- monitors whose check that one gave up: they are checked at once
  PRIMARY KEY (region, slot)
);
CREATE INDEX slots_holder ON slots (holder);
CREATE INDEX slots_wanted_by ON slots (wanted_by);

-- The regions that take turns, those before, and from when on they count.
CREATE TABLE turns (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  number int NOT NULL,
  before text[] NOT NULL,
  regions text[] NOT NULL,
  effective_at timestamptz NOT NULL
);

-- Checks that are still under way when the turn of another region begins: that one leaves the monitor alone meanwhile.
CREATE TABLE overruns (
  monitor_id int PRIMARY KEY,
  prober bigint NOT NULL REFERENCES probers ON DELETE CASCADE,
  until timestamptz NOT NULL
);
CREATE INDEX overruns_prober ON overruns (prober);
