-- A group of a status page may follow tags: what carries all of them has a component in it, which comes and goes by itself.
ALTER TABLE status_groups ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
-- Whether it stands in such a group because its subject carries the tags: without them it goes.
ALTER TABLE status_components ADD COLUMN by_tag boolean NOT NULL DEFAULT false;
