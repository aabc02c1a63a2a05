import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { PingKind } from '../../../src/core/monitors/ping.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { type AddedMonitor, addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const RUN = '7d1f3c5e-0000-4000-8000-000000000001'
const OTHER = '7d1f3c5e-0000-4000-8000-000000000002'
const TOO_LONG = 'the job did not end within 600 s of its start'

/** Minutes of the tests; all are over. */
const startMs = Math.floor(Date.now() / 60_000) * 60_000 - 6 * 3_600_000
const at = (minute: number) => new Date(startMs + minute * 60_000)

describe('the runs of a job that has a limit', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db)
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const job = (options: MonitorOptions | null = { max_duration_seconds: 600 }) =>
    addMonitor(database.db, {
      ...{ team_id: teamId, type: 'heartbeat', options, check_interval_seconds: 3_600 },
      state: { heartbeat_due_at: at(60) },
    })

  /** Returns the minute of the deadline. */
  async function ping(of: AddedMonitor, minute: number, kind: PingKind, runId: string | null = null) {
    const receivedAt = at(minute)
    const { heartbeatDueAt } = await recorder.record({
      ...{ monitorId: of.id, revision: null, checkedAt: receivedAt, region: null, heartbeat: 'ping' },
      result: kind === 'success' ? UP : kind === 'fail' ? resultWithout('down', 'it failed') : null,
      ping: { monitorId: of.id, receivedAt, kind, exitStatus: null, runId, body: null },
    })
    return minuteOf(heartbeatDueAt)
  }
  async function silence({ id, revision }: AddedMonitor, minute: number) {
    const { heartbeatDueAt, kind } = await recorder.record({
      ...{ monitorId: id, revision, checkedAt: at(minute), region: null, heartbeat: 'silence', ping: null },
      result: resultWithout('down', 'no ping'),
    })
    return { kind, due: minuteOf(heartbeatDueAt) }
  }
  const minuteOf = (due: Date | null) => due && (due.getTime() - startMs) / 60_000
  const causesOf = async ({ id }: AddedMonitor) =>
    (
      await database.db.pool.query(
        'SELECT error_message AS cause FROM checks WHERE monitor_id = $1 ORDER BY checked_at',
        [id],
      )
    ).rows.map(({ cause }) => cause)

  it('have no part in the deadline of a job without one', async () => {
    const monitor = await job(null)
    assert.equal(await ping(monitor, 30, 'start'), 60)
    assert.equal(await ping(monitor, 40, 'success'), 100)
  })

  it('end in time, or the job is down with the reason, and is late again an interval after that', async () => {
    const monitor = await job()
    assert.equal(await ping(monitor, 30, 'start'), 40)
    assert.equal(await ping(monitor, 35, 'success'), 95)
    assert.equal(await ping(monitor, 90, 'start'), 100)
    assert.deepEqual(await silence(monitor, 100), { kind: 'recorded', due: 160 })
    assert.deepEqual(await silence(monitor, 160), { kind: 'recorded', due: 220 })
    assert.deepEqual(await causesOf(monitor), [null, TOO_LONG, 'no ping'])
  })

  it('are in time once they have begun in time', async () => {
    const monitor = await job()
    assert.equal(await ping(monitor, 55, 'start'), 65)
    assert.equal(await ping(monitor, 64, 'success'), 124)
  })

  it('go on beside others, and a crash that starts again soon is no new one', async () => {
    const monitor = await job()
    assert.equal(await ping(monitor, 10, 'start', RUN), 20)
    assert.equal(await ping(monitor, 12, 'start', OTHER), 20)
    assert.equal(await ping(monitor, 14, 'start', RUN), 20)
    assert.equal(await ping(monitor, 15, 'success', RUN), 22)
    assert.deepEqual(await silence(monitor, 22), { kind: 'recorded', due: 82 })
    assert.deepEqual(await causesOf(monitor), [null, TOO_LONG])
  })

  it('are known to pings of the same batch', async () => {
    const monitor = await job()
    const due = await Promise.all([
      ping(monitor, 10, 'start', RUN),
      ping(monitor, 11, 'start', OTHER),
      ping(monitor, 12, 'success', RUN),
    ])
    assert.deepEqual(due, [20, 20, 21])
  })
})
