-- The work on a span of history (an hour, a day) that is being done, cut into stretches of monitors or servers: every
-- process with the role scheduler takes some. The process that works on one holds its row locked, and writes how far it is in the
-- transaction of the work itself: a process that dies leaves the stretch to the others as it was.
CREATE TABLE history_stretches (
  work text NOT NULL, -- as src/engine/history calls it; of each, one span at a time
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  after_id int NOT NULL, -- the last monitor that is done
  until_id int NOT NULL, -- the last one of the stretch: it is done when it is `after_id`
  PRIMARY KEY (work, until_id)
);
