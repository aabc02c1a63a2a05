import type { TestContext } from 'node:test'
import type { Database } from '../../../src/postgres/database.ts'
import { type Migration, migrate, readMigrations } from '../../../src/postgres/migrate.ts'
import { type DatabaseTemplate, makeTemplate, openCopy } from './database.ts'

/** Names by the number of the first migration that they lack. All migrations together cost most of a second of a core. */
const templates = new Map<string, Promise<DatabaseTemplate>>()

/** A database as it was before the migration of a number, such as `012`; `bringForward` applies that and all later ones. */
export async function openOlderDatabase(
  t: TestContext,
  number: string,
): Promise<{ db: Database; bringForward: () => Promise<unknown> }> {
  const all = await readMigrations()
  const template = templates.get(number) ?? makeBefore(number, all)
  templates.set(number, template)
  const { db, close } = await openCopy(await template)
  t.after(close)
  return { db, bringForward: () => migrate(db.pool, all) }
}

/** Goes on from the newest of the older ones that there are. */
async function makeBefore(number: string, all: Migration[]): Promise<DatabaseTemplate> {
  const nearest = [...templates.keys()]
    .filter((other) => other < number)
    .sort()
    .at(-1)
  const from = (nearest && (await templates.get(nearest))) || null
  const older = all.filter(({ name }) => name < number)
  return makeTemplate(from, (db) => migrate(db.pool, older))
}
