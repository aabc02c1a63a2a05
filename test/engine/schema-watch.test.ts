import assert from 'node:assert/strict'
import { it } from 'node:test'
import { watchSchema } from '../../src/engine/schema-watch.ts'
import { newestKnownSchema, readSchema } from '../../src/postgres/migrate.ts'
import { openTestDatabase } from '../support/postgres/database.ts'
import { until } from '../support/until.ts'

it('a process ends where it cannot work with a newer schema: neither trouble nor a newer schema alone is a reason', async (t) => {
  const { db, close } = await openTestDatabase()
  let trouble: string | null = null
  let looks = 0
  let said: string | null = null
  const watch = watchSchema({
    db,
    lastingTrouble() {
      looks++
      return trouble
    },
    onTrouble: (error) => assert.ifError(error),
    everyMs: 1,
  })
  t.after(async () => {
    await watch.close()
    await close()
  })
  void watch.refused.then(({ message }) => {
    said = message
  })
  const untilLooked = async () => {
    const before = looks
    await until('it has looked', () => looks > before + 2)
  }
  const known = await newestKnownSchema()
  assert.equal(await readSchema(db), known)

  const bringForward = () =>
    db.pool.query(`INSERT INTO schema_migrations (version, name) VALUES ($1, 'newer')`, [known + 1])
  await bringForward()
  await untilLooked()
  await db.pool.query('DELETE FROM schema_migrations WHERE version > $1', [known])
  trouble = 'column "kind" does not exist (42703)'
  await untilLooked()
  assert.equal(said, null)

  await bringForward()
  await until('it ends', () => said !== null)
  const schemas = new RegExp(`schema ${known + 1}, newer than the ${known} .*column "kind" does not exist`)
  assert.match(said ?? '', schemas)
})
