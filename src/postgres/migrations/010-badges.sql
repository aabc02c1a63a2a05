-- What names a monitor to everybody in the address of its badges: random, so that it tells nothing and leads nowhere
-- else. Each monitor that is there gets one of its own.
ALTER TABLE monitors ADD COLUMN badge_id uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX monitors_badge ON monitors (badge_id);
