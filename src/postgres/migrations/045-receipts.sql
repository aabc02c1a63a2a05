-- The receiver's own name of the message that it took; later alerts about the incident answer or edit that message.
ALTER TABLE deliveries ADD COLUMN receipt text;
