-- Ordered by monitor, the index of checks has a page of each monitor's own after some hours, and every check writes
-- another one. Ordered by time first, new checks write to the few pages of their quarter of an hour.
-- Days that have checks keep the former index, which serves the same conditions: no index is built over them. Days to come
-- have both until those are compacted; then upkeep drops the former one (store/history/partitions.ts).
CREATE INDEX checks_by_quarter ON ONLY checks
  (date_bin('15 minutes', checked_at, '2000-01-01 00:00:00+00'::timestamptz), monitor_id);

DO $$
DECLARE
  part record;
  has_rows boolean;
  is_empty boolean := true;
BEGIN
  FOR part IN
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'checks'::regclass
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', part.name) INTO has_rows;
    is_empty := is_empty AND NOT has_rows;
    CONTINUE WHEN has_rows;
    EXECUTE format('CREATE INDEX %I ON %I
      (date_bin(''15 minutes'', checked_at, ''2000-01-01 00:00:00+00''::timestamptz), monitor_id)',
      part.name || '_by_quarter', part.name);
    EXECUTE format('ALTER INDEX checks_by_quarter ATTACH PARTITION %I', part.name || '_by_quarter');
  END LOOP;
  IF is_empty THEN
    DROP INDEX checks_of_monitor;
  END IF;
END $$;
