-- The log of a contact and of a monitor, and the rows that a contact or a monitor which goes must find.
CREATE INDEX deliveries_of_contact ON deliveries (contact_id, id DESC);
CREATE INDEX deliveries_of_monitor ON deliveries (monitor_id, id DESC);
