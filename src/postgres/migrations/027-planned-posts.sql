-- A post about planned maintenance that was made from an occurrence of a window stands in its place on the page, and goes by
-- its times.
ALTER TABLE status_posts
  ADD COLUMN window_id int REFERENCES maintenance_windows ON DELETE SET NULL,
  -- The occurrence, by its start.
  ADD COLUMN occurrence_at timestamptz,
  -- Until a person gives the post other times.
  ADD COLUMN follows_window boolean NOT NULL DEFAULT false,
  -- How often windows of the team had changed when the post was last brought in line with them.
  ADD COLUMN window_revision int;
CREATE UNIQUE INDEX status_posts_of_occurrence ON status_posts (page_id, window_id, occurrence_at);
CREATE INDEX status_posts_of_window ON status_posts (window_id) WHERE window_id IS NOT NULL;
-- Posts whose phases change at their times.
CREATE INDEX status_posts_planned ON status_posts (id) WHERE kind = 'maintenance' AND resolved_at IS NULL;

-- Messages that are gone with their subscribers, or by their age: what was told stays told.
ALTER TABLE status_updates
  ADD COLUMN sent_before int NOT NULL DEFAULT 0,
  ADD COLUMN failed_before int NOT NULL DEFAULT 0;

-- Monitors that fail: they are checked when a window ends.
CREATE INDEX monitor_state_failing ON monitor_state (monitor_id) WHERE status IN ('maintenance', 'down');
