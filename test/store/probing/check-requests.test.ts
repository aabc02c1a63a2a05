import assert from 'node:assert/strict'
import { it } from 'node:test'
import { requestCheck } from '../../../src/store/probing/schedule.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'

it('requests for a check that come together are one, in whatever order they are written', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { id, teamId } = await addMonitor(db)
  const startMs = Date.now()
  const ask = async (atMs: number) => {
    const at = new Date(startMs + atMs)
    const requested = await requestCheck(db.query, teamId, id, at, 2_000)
    return (requested?.getTime() ?? 0) - startMs
  }
  assert.equal(await ask(0), 0)
  assert.equal(await ask(-3), 0, 'it came before the one that is written already')
  assert.equal(await ask(2_000), 0)
  assert.equal(await ask(2_001), 2_001)
  assert.equal(await ask(-1_000), -1_000, 'the clock was set back')
})
