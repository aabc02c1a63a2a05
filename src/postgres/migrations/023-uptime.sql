-- Uptime by time: a roll-up carries how long its monitor was in each state; what is left of the hour (day) is unknown.
-- The time is the monitor's and not a region's: one row of an hour (day) has it, those of other regions are null. Where
-- all are null, nothing says it yet: an older release wrote them. Upkeep converts such days in short steps
-- (engine/history/convert-times.ts); hours stay as they are. Nothing is rewritten here, however large the history is.
ALTER TABLE check_hours
  ADD COLUMN up_ms int,
  ADD COLUMN degraded_ms int,
  ADD COLUMN down_ms int,
  ADD COLUMN maintenance_ms int;

ALTER TABLE check_days
  ADD COLUMN up_ms int,
  ADD COLUMN degraded_ms int,
  ADD COLUMN down_ms int,
  ADD COLUMN maintenance_ms int;

-- `timed_until` follows `hours_until` where roll-ups are written with times; it stays behind when a process of an older
-- release rolls up, and what that wrote is computed again. Roll-ups of older history are converted up to
-- `converted_monitor_id`; null: all are.
ALTER TABLE history_progress
  ADD COLUMN timed_until timestamptz,
  ADD COLUMN converted_monitor_id int DEFAULT 0;
