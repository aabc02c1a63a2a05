-- Whether an expectation that only warns was not met at the last check, which was told then. The release before tells nothing of
-- it and leaves it as it is.
ALTER TABLE monitor_state ADD COLUMN unmet boolean NOT NULL DEFAULT false;
