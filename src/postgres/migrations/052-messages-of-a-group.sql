-- Of an alert that was told with others: the message of its group that named it. It is set once the receiver has taken
-- that message, so that a retry, also after a crash, sends those that are left.
ALTER TABLE deliveries ADD COLUMN part smallint;
-- Of the one that leads a group: the messages of the group that its receiver has taken.
ALTER TABLE deliveries ADD COLUMN parts_sent smallint;
-- Finds what a group told, by the link that acknowledges it.
CREATE INDEX deliveries_of_group ON deliveries (digest) WHERE digest IS NOT NULL;
