-- `key` or `key:value`, sorted, one for each key. Lists of a team are read by team: a filter by tag goes over rows that are
-- read anyway, so that an index of tags would only cost.
ALTER TABLE monitors ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE servers ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE sites ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

-- Not empty: the window covers what carries all of these. The tables of its subjects hold who does, and follow each change
-- of tags in its transaction.
ALTER TABLE maintenance_windows ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
