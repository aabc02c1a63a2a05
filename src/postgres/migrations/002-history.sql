-- Checks, narrower ------------------------------------------------------------------------------------------
-- Eight columns need no second word of null bits, phases are packed (core/monitors/phases.ts), and the index names
-- quarters of hours, so that it keeps the key of many checks once.

SET LOCAL statement_timeout = 0;

ALTER TABLE checks RENAME TO old_checks;
ALTER INDEX checks_of_monitor RENAME TO old_checks_of_monitor;

CREATE TABLE checks (
  checked_at timestamptz NOT NULL,
  monitor_id int NOT NULL,
  response_time_ms int,
  http_status_code smallint,
  status text NOT NULL,
  region text,
  phases bytea,
  error_message text
) PARTITION BY RANGE (checked_at);
CREATE INDEX checks_of_monitor ON checks
  (monitor_id, date_bin('15 minutes', checked_at, '2000-01-01 00:00:00+00'::timestamptz));

DO $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'old_checks'::regclass
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', part.name, 'old_' || part.name);
    EXECUTE format('CREATE TABLE %I PARTITION OF checks %s', part.name, part.bounds);
  END LOOP;
END $$;

INSERT INTO checks
SELECT checked_at, monitor_id, response_time_ms, http_status_code, status, region,
  CASE WHEN num_nonnulls(dns_ms, connect_ms, tls_ms, first_byte_ms, transfer_ms) > 0 THEN (
    SELECT string_agg(CASE
      WHEN n < 128 THEN set_byte('\x00', 0, n)
      WHEN n < 16384 THEN set_byte(set_byte('\x0000', 0, 128 + n % 128), 1, n / 128)
      ELSE set_byte(set_byte(set_byte('\x000000', 0, 128 + n % 128), 1, 128 + n / 128 % 128), 2, n / 16384)
    END, ''::bytea ORDER BY phase)
    FROM unnest(ARRAY[dns_ms, connect_ms, tls_ms, first_byte_ms, transfer_ms]) WITH ORDINALITY AS p (ms, phase),
      coalesce(ms + 1, 0) AS n)
  END,
  error_message
FROM old_checks;
DROP TABLE old_checks;

-- Days that are over ----------------------------------------------------------------------------------------

-- The checks of one monitor and day, encoded (core/history/check-chunk.ts) and compressed. Written before they count:
-- one counts once `compacted_days` has more generations than its own, which the transaction says that drops the
-- day's partition. A day that gets a partition again (a clock was set) is compacted into another generation.
CREATE TABLE check_chunks (
  day timestamptz NOT NULL,
  monitor_id int NOT NULL,
  generation smallint NOT NULL,
  segment smallint NOT NULL, -- many checks in a day make several
  checks int NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (monitor_id, day, generation, segment)
) PARTITION BY RANGE (day);
ALTER TABLE check_chunks ALTER content SET STORAGE EXTERNAL; -- compressed already

CREATE TABLE compacted_days (
  day timestamptz PRIMARY KEY,
  generations smallint NOT NULL
);

-- Roll-ups --------------------------------------------------------------------------------------------------

-- One row per monitor, hour (day) and region ('': none); `histogram` as core/history/histogram.ts writes it.
-- Nothing was ever written to the former table.
DROP TABLE check_hours;
CREATE TABLE check_hours (
  hour timestamptz NOT NULL,
  response_time_sum_ms bigint NOT NULL DEFAULT 0,
  monitor_id int NOT NULL,
  up int NOT NULL DEFAULT 0,
  degraded int NOT NULL DEFAULT 0,
  down int NOT NULL DEFAULT 0,
  pending int NOT NULL DEFAULT 0,
  region text NOT NULL DEFAULT '',
  histogram bytea NOT NULL DEFAULT '',
  PRIMARY KEY (monitor_id, hour, region)
) PARTITION BY RANGE (hour);

CREATE TABLE check_days (
  day timestamptz NOT NULL,
  response_time_sum_ms bigint NOT NULL DEFAULT 0,
  monitor_id int NOT NULL,
  up int NOT NULL DEFAULT 0,
  degraded int NOT NULL DEFAULT 0,
  down int NOT NULL DEFAULT 0,
  pending int NOT NULL DEFAULT 0,
  region text NOT NULL DEFAULT '',
  histogram bytea NOT NULL DEFAULT '',
  PRIMARY KEY (monitor_id, day, region)
);

-- How far the work on history is. What is before `hours_until` is in check_hours, whole days before it are in
-- check_days too; the rest is in `checks` only. No row: nothing is done yet.
CREATE TABLE history_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  hours_until timestamptz NOT NULL,
  compacting_day timestamptz,
  compacted_monitor_id int -- of that day, the last one whose chunks are written
);
