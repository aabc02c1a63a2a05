-- Words for whoever responds to an alert. Beside the monitors, whose changes begin checks anew.
CREATE TABLE monitor_notes (
  monitor_id int PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  runbook_url text,
  notes text
);
