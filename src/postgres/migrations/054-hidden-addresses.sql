-- The address of a monitor without what follows its path stays where it was; the whole, where there is more, is sealed.
ALTER TABLE monitors ADD COLUMN sealed_url text; -- encrypted
ALTER TABLE users ADD COLUMN sealed_phone text; -- encrypted

-- From when on that is done: where there is anything already, a day later, and not before the last process that checks
-- monitors can open them. Those of the release before know nothing of this.
ALTER TABLE probers ADD COLUMN opens_addresses boolean NOT NULL DEFAULT false;
ALTER TABLE sealing ADD COLUMN hides_from timestamptz NOT NULL DEFAULT now();
INSERT INTO sealing (binds_from, hides_from)
  SELECT now(), CASE WHEN EXISTS (SELECT FROM users) THEN now() + interval '1 day' ELSE now() END
  ON CONFLICT (single) DO UPDATE SET hides_from = excluded.hides_from;
