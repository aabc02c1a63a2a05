// npm test leaves this out: it makes a database of each schema that there ever was, and upgrades each (a minute, and more with each migration).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Migration, migrate, readMigrations } from '../../src/postgres/migrate.ts'
import { newestChecks } from '../../src/store/history/history.ts'
import { Vault } from '../../src/store/sealing/vault.ts'
import { openEmptyDatabase, TEST_SECRET } from '../support/postgres/database.ts'
import { writtenByFirst } from '../support/postgres/first-version.ts'

describe('an upgrade', () => {
  let migrations: Migration[]
  before(async () => {
    migrations = await readMigrations()
  })

  it('goes from each schema that there ever was to the newest at once, with what the first one held', async () => {
    for (const { version } of migrations.slice(0, -1)) {
      const { db, close } = await openEmptyDatabase()
      await migrate(db.pool, migrations.slice(0, 1))
      await db.pool.query(writtenByFirst(new Vault(TEST_SECRET)))
      await migrate(db.pool, migrations.slice(0, version))
      assert.equal((await migrate(db.pool)).length, migrations.length - version)
      assert.equal((await newestChecks(db.query, 1, null, 10)).length, 2, `from ${version}`)
      await close()
    }
  })
})
