-- When a contact gets no alerts, as core/alerting/quiet-hours.ts has it; null: always.
ALTER TABLE contacts ADD COLUMN quiet_hours jsonb;
-- The end of the quiet hours in which a delivery was held or dropped.
ALTER TABLE deliveries ADD COLUMN held_until timestamptz;
-- Not validated: every row has one of the states before, which are among these.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check,
  ADD CONSTRAINT deliveries_state_check CHECK (state IN ('pending', 'sent', 'failed', 'dropped')) NOT VALID;
