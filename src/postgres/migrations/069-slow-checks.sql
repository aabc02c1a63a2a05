-- Attempts in a row that failed or did not meet an expectation that only warns: so many make a check degraded. The release before
-- warns at once, and leaves them as they are.
ALTER TABLE monitor_state ADD COLUMN unwell_attempts smallint NOT NULL DEFAULT 0;
-- The response times of the last checks, oldest first, at most 100, where an assertion is about several of them; else null.
ALTER TABLE monitor_state ADD COLUMN response_times int[];
