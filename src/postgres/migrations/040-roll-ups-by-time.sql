-- What a team did lately is read from all of its monitors' roll-ups of a few hours, which lie beside each other: the other
-- keys begin with the monitor. An index of some kB says in which pages of a table they are.
CREATE INDEX check_hours_by_time ON check_hours USING brin (hour) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX check_days_by_time ON check_days USING brin (day) WITH (pages_per_range = 16, autosummarize = on);
