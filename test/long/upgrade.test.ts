// npm test leaves this out: it makes a database of each schema that there ever was, and upgrades each (a minute, and more with each migration).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Migration, migrate, readMigrations } from '../../src/postgres/migrate.ts'
import { newestChecks } from '../../src/store/history/history.ts'
import { Vault } from '../../src/store/sealing/vault.ts'
import { makeTemplate, openCopy, TEST_SECRET } from '../support/postgres/database.ts'
import { writtenByFirst } from '../support/postgres/first-version.ts'

describe('an upgrade', () => {
  let migrations: Migration[]
  before(async () => {
    migrations = await readMigrations()
  })

  it('goes from each schema that there ever was to the newest at once, with what the first one held', async () => {
    const [first, ...later] = migrations
    // Each is a step further than the one before: to come to it from the first one again would double the work.
    let old = await makeTemplate(null, async (db) => {
      await migrate(db.pool, [first as Migration])
      await db.pool.query(writtenByFirst(new Vault(TEST_SECRET)))
    })
    for (const { version } of later) {
      const { db, close } = await openCopy(old)
      assert.equal((await migrate(db.pool)).length, migrations.length - version + 1)
      assert.equal((await newestChecks(db.query, 1, null, 10)).length, 2, `from ${version - 1}`)
      await close()
      const next = await makeTemplate(old, ({ pool }) => migrate(pool, migrations.slice(0, version)))
      await old.drop()
      old = next
    }
  })
})
