-- Rows of queues are claimed by turns of the teams: see store/claims.ts. 0 is the service itself, and what the previous
-- release queues meanwhile.
ALTER TABLE status_notices ADD COLUMN team_id int NOT NULL DEFAULT 0;
ALTER TABLE report_mails ADD COLUMN team_id int NOT NULL DEFAULT 0;
ALTER TABLE letters ADD COLUMN team_id int NOT NULL DEFAULT 0;
UPDATE status_notices n SET team_id = s.team_id FROM status_subscribers s WHERE s.id = n.subscriber_id AND n.state = 'pending';
UPDATE report_mails m SET team_id = r.team_id FROM report_recipients r WHERE r.id = m.recipient_id AND m.state = 'pending';
CREATE INDEX status_notices_by_team ON status_notices (team_id, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX report_mails_by_team ON report_mails (team_id, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX letters_by_team ON letters (team_id, next_attempt_at, id);
-- Small, as few wait. One pass over the table builds it: where that is very large, the same words with CONCURRENTLY may
-- do so beforehand.
CREATE INDEX IF NOT EXISTS deliveries_by_team ON deliveries (team_id, next_attempt_at, id) WHERE state = 'pending';
