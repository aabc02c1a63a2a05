-- Eight times as many slots: more than 256 processes of a region have something to do, and their shares differ by less.
-- A monitor moves from slot s to one of s, s + 256, s + 512 and so on, so that each of these gets as many as the others.
-- No process has this database now that knows 256 slots: those that held them have to join again.
DELETE FROM probers;
DELETE FROM slots;
ALTER TABLE monitors DROP CONSTRAINT monitors_slot;
UPDATE monitors m SET slot = m.slot + 256 * ((m.slot + placed.number) % 8)
FROM (SELECT id, row_number() OVER (PARTITION BY slot ORDER BY id) AS number FROM monitors) AS placed
WHERE placed.id = m.id;
ALTER TABLE monitors ADD CONSTRAINT monitors_slot CHECK (slot BETWEEN 0 AND 2047);
UPDATE sites SET slot = slot + 256 * ((slot + id) % 8);
UPDATE probe_holdings SET slots = ARRAY(
  SELECT (slot + 256 * part)::smallint FROM unnest(slots) AS slot, generate_series(0, 7) AS part ORDER BY 1);
