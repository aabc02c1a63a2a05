-- When a process that takes pings was last known to be reachable: silence counts against a job only if it could
-- have been heard. Null until one has said so.
ALTER TABLE scheduler_pulse ADD COLUMN reached_at timestamptz;
