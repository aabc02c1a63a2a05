import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { countOverdueHeartbeats } from '../../../src/store/maintenance/overdue-heartbeats.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)

it('a heartbeat is overdue once the time outside windows has reached its interval', async () => {
  const { db } = database
  const count = () => countOverdueHeartbeats(db.pool)
  const [without, planned] = [await addTeam(db), await addTeam(db)]
  const add = (team_id: number, dueAt: Date, revision = {}) =>
    addMonitor(db, { team_id, type: 'heartbeat', state: { heartbeat_due_at: dueAt, ...revision } })
  await add(without, ago(60))
  await add(without, ago(-60))
  await add(without, ago(60), { revision: null })
  assert.equal(await count(), 1)
  await add(planned, ago(600))
  assert.equal(await count(), 2)
  // Its minute began 10 s before the window.
  const window = oneOff(ago(650).toISOString(), ago(20).toISOString())
  await addWindow(db, planned, window, ago(3_600))
  assert.equal(await count(), 1)
  await add(planned, ago(660 + 60))
  assert.equal(await count(), 2, 'it was late before the window')
  // Windows move a scheduled time that they cover, and nothing after it.
  const job = (dueAt: Date, grace_seconds: number) =>
    addMonitor(db, {
      ...{ team_id: planned, type: 'heartbeat', options: { schedule: '* * * * *', grace_seconds } },
      state: { heartbeat_due_at: dueAt, status: 'up', last_checked_at: ago(7_200) },
    })
  await job(ago(10), 500)
  assert.equal(await count(), 2, 'it was due in the window')
  await job(ago(10), 5)
  assert.equal(await count(), 3, 'it was due after the window')
})
