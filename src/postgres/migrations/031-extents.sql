-- The least and the largest response time of an hour or a day of a region: percentiles are read between them, so that
-- equal times make equal percentiles. Null without any, and where a release before this one wrote the row.
ALTER TABLE check_hours ADD COLUMN min_ms int, ADD COLUMN max_ms int;
ALTER TABLE check_days ADD COLUMN min_ms int, ADD COLUMN max_ms int;
