-- The alert of a monitor waits while one that it depends on is down: since when it failed untold, and until when a monitor was
-- last known to fail, so that a check from before then tells nothing. The release before tells at once.
ALTER TABLE monitor_state
  ADD COLUMN held_since timestamptz,
  ADD COLUMN failing_until timestamptz;
CREATE INDEX monitor_state_held ON monitor_state (monitor_id) WHERE held_since IS NOT NULL;

-- The monitor that an alert waited for last, and whether nobody was alerted.
ALTER TABLE team_incidents
  ADD COLUMN held_by int,
  ADD COLUMN untold boolean NOT NULL DEFAULT false;

-- Few monitors depend on others.
CREATE INDEX monitors_dependent ON monitors (team_id) WHERE options ? 'depends_on';
