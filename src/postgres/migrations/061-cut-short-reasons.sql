-- Why a crawl is not whole, and the same where an area says so: sentences with their values. The text beside them stays
-- for the release before, which reads and writes nothing else.
ALTER TABLE site_crawls ADD COLUMN cut_reasons jsonb;
ALTER TABLE site_areas ADD COLUMN cause_reasons jsonb;
