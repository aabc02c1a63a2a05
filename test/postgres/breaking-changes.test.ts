import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMigrations } from '../../src/postgres/migrate.ts'
import { breakingChanges } from '../support/postgres/breaking-changes.ts'

/** Those before were made without this rule. */
const LAST_WITHOUT_RULE = 50

/** Each with what it does to the release before. */
const BREAKING: [string, string][] = [
  ['DROP TABLE pings', 'drops something'],
  ['CREATE VIEW pings AS SELECT * FROM calls; DROP TABLE pings, jobs', 'drops something'],
  ['CREATE VIEW pings AS SELECT * FROM calls; DROP TABLE pings CASCADE', 'drops something'],
  ['CREATE VIEW pings AS SELECT * FROM calls; DROP VIEW pings', 'drops something'],
  ['ALTER TABLE pings DROP COLUMN kind', 'drops something'],
  ['alter table pings drop kind', 'drops something'],
  ['DROP INDEX CONCURRENTLY deliveries_once', 'drops something'],
  ['ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check', 'drops something'],
  ['DO $$ BEGIN DROP INDEX checks_of_monitor; END $$', 'drops something'],
  ['ALTER TABLE pings ALTER COLUMN kind DROP DEFAULT', 'drops a default'],
  ['ALTER TABLE pings RENAME COLUMN kind TO k2', 'renames something'],
  ['ALTER TABLE pings RENAME kind TO k2', 'renames something'],
  ['ALTER TABLE pings RENAME TO calls', 'renames something'],
  ['ALTER INDEX deliveries_once_a_step RENAME TO deliveries_once', 'renames something'],
  ['ALTER TABLE checks DETACH PARTITION checks_2026_01_01', 'takes a table out of another'],
  ['REVOKE INSERT ON checks FROM upbeat', 'takes a right away'],
  ['ALTER TABLE pings ALTER kind SET NOT NULL', 'wants a value where there may be none'],
  ['ALTER TABLE pings ADD COLUMN note text NOT NULL', 'adds a column that wants a value and has no default'],
  [
    "ALTER TABLE pings ADD a int NOT NULL DEFAULT 0, ADD COLUMN b text NOT NULL CHECK (b <> '')",
    'adds a column that wants a value and has no default',
  ],
  ['ALTER TABLE checks ALTER COLUMN phases TYPE jsonb USING NULL', 'gives a column another type'],
  ['ALTER TABLE checks ALTER phases SET DATA TYPE jsonb', 'gives a column another type'],
  ["ALTER TYPE mood ADD VALUE 'well'", 'changes a type'],
  ['ALTER TABLE pings ADD CONSTRAINT short CHECK (length(body) < 9)', 'refuses rows that were taken'],
  ['ALTER TABLE pings ADD UNIQUE (monitor_id, received_at)', 'refuses rows that were taken'],
  ['ALTER TABLE pings ADD PRIMARY KEY (monitor_id)', 'refuses rows that were taken'],
  ['ALTER TABLE ONLY public.pings ADD FOREIGN KEY (a) REFERENCES b', 'refuses rows that were taken'],
  ['ALTER TABLE pings ADD COLUMN number int UNIQUE', 'refuses rows that were taken'],
  ['CREATE UNIQUE INDEX once ON pings (monitor_id)', 'refuses rows that were taken'],
  ['CREATE UNIQUE INDEX IF NOT EXISTS once ON public.pings USING btree (a)', 'refuses rows that were taken'],
  ['CREATE TRIGGER t BEFORE INSERT ON pings EXECUTE FUNCTION f()', 'acts on rows of a table'],
]

const HARMLESS = [
  'ALTER TABLE pings ADD COLUMN note text',
  "ALTER TABLE pings ADD COLUMN tags text[] NOT NULL DEFAULT '{}'",
  'ALTER TABLE pings ADD COLUMN number bigint NOT NULL GENERATED ALWAYS AS IDENTITY',
  "ALTER TABLE pings ADD COLUMN pace text DEFAULT 'slow' CHECK (pace IN ('slow', 'fast'))",
  'ALTER TABLE pings ADD COLUMN drill_id bigint REFERENCES drills ON DELETE CASCADE',
  'ALTER TABLE pings ALTER COLUMN kind DROP NOT NULL',
  'ALTER TABLE pings ALTER COLUMN kind SET DEFAULT 0',
  'CREATE INDEX pings_by_time ON pings (received_at)',
  'CREATE TABLE drops (id int PRIMARY KEY, renamed text NOT NULL UNIQUE); CREATE UNIQUE INDEX once ON drops (renamed)',
  'CREATE TABLE drops (id int); ALTER TABLE drops ADD CONSTRAINT positive CHECK (id > 0), ADD name text NOT NULL',
  "-- DROP TABLE pings;\n/* DROP TABLE pings; */ INSERT INTO words VALUES ('DROP TABLE pings; it''s')",
  "UPDATE monitors SET kind = 'renamed' WHERE dropped",
  'DROP TABLE pings, jobs; CREATE VIEW pings AS SELECT * FROM calls; CREATE VIEW jobs AS SELECT * FROM calls',
  '-- the release before: it writes no such rows\nALTER TABLE pings ADD UNIQUE (monitor_id, received_at)',
  'ALTER TABLE pings\n  -- The release before: has not read it since 051\n  DROP COLUMN kind',
]

describe('a migration', () => {
  it('is read for what the release before may not survive', () => {
    for (const [sql, what] of BREAKING)
      assert.deepEqual(
        breakingChanges(`SELECT 1; ${sql};`).map((change) => change.what),
        [what],
        sql,
      )
  })

  it('may do what the release before does not notice, or what a comment explains', () => {
    for (const sql of HARMLESS) assert.deepEqual(breakingChanges(`SELECT 1;\n${sql};`), [], sql)
  })

  it('is explained by some words, for the one statement that they stand at', () => {
    const sql = 'ALTER TABLE pings DROP COLUMN a'
    assert.equal(breakingChanges(`-- the release before: fine\n${sql};`).length, 1)
    assert.equal(breakingChanges(`-- the release before: never read it\n${sql};\n${sql};`).length, 1)
    assert.equal(breakingChanges(`SELECT 1; -- the release before: never read it\n${sql};`).length, 1)
  })

  it('that did break the release before would have been found', async () => {
    const { sql = '' } = (await readMigrations()).find(({ version }) => version === 44) ?? {}
    const found = breakingChanges(sql).map(({ statement }) => statement)
    assert.ok(found.includes('DROP INDEX deliveries_once'))
  })

  it('of ours leaves the release before working, or says why it does', async () => {
    const newer = (await readMigrations()).filter(({ version }) => version > LAST_WITHOUT_RULE)
    const found = newer.flatMap(({ name, sql }) =>
      breakingChanges(sql).map(({ what, statement }) => `${name} ${what}: ${statement}`),
    )
    const rule = 'say why in a comment before the statement: -- the release before: …'
    assert.deepEqual(found, [], `${rule}\n${found.join('\n')}`)
  })
})
