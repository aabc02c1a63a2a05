-- Since when a monitor has its status, when it was paused, and that somebody wants it checked at once.

ALTER TABLE monitor_state ADD COLUMN status_since timestamptz NOT NULL DEFAULT now();
UPDATE monitor_state s SET status_since = coalesce(
  (SELECT i.started_at FROM incidents i WHERE i.id = s.open_incident_id),
  (SELECT max(i.resolved_at) FROM incidents i WHERE i.monitor_id = s.monitor_id),
  (SELECT m.created_at FROM monitors m WHERE m.id = s.monitor_id));

CREATE TABLE monitor_pauses (
  monitor_id int NOT NULL REFERENCES monitors ON DELETE CASCADE,
  paused_at timestamptz NOT NULL,
  resumed_at timestamptz,
  PRIMARY KEY (monitor_id, paused_at)
);
CREATE UNIQUE INDEX monitor_pauses_one_open ON monitor_pauses (monitor_id) WHERE resumed_at IS NULL;
-- When those began that last is not known; the last change of the monitor was that, or came after it.
INSERT INTO monitor_pauses (monitor_id, paused_at) SELECT id, changed_at FROM monitors WHERE NOT is_active;

ALTER TABLE monitors ADD COLUMN check_requested_at timestamptz;

CREATE INDEX monitors_deleted ON monitors (team_id, deleted_at DESC) WHERE deleted_at IS NOT NULL;
CREATE INDEX incidents_resolved ON incidents (team_id, resolved_at DESC) WHERE resolved_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_of_contact ON deliveries (contact_id, id DESC);
