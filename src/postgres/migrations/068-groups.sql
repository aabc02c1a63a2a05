-- The groups of monitors of a team.
CREATE INDEX monitors_groups ON monitors (team_id) WHERE type = 'group';

-- Groups that are to be judged anew, because people changed their members. A change of a member's status judges them at once.
CREATE TABLE group_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  group_id int NOT NULL REFERENCES monitors (id) ON DELETE CASCADE
);
CREATE INDEX group_requests_group ON group_requests (group_id);
