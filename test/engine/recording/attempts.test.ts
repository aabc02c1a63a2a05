import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { NO_CONFIRMATION } from '../../../src/core/monitors/confirmation.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { patienceOf } from '../../../src/core/monitors/options/patience.ts'
import type { Finding, Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const SECOND_MS = 1_000
const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const OURS = resultWithout('pending', 'our network seems to be down')

describe('attempts on record', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const rows = async (text: string, id: number) => (await database.db.pool.query(text, [id])).rows

  const startMs = Date.now() - 3_600_000

  function finding(
    { id, revision }: AddedMonitor,
    result: CheckResult,
    seconds: number,
    options: MonitorOptions,
  ): Finding {
    return {
      ...{ monitorId: id, revision, region: null, result, heartbeat: null, ping: null },
      checkedAt: new Date(startMs + seconds * SECOND_MS),
      patience: patienceOf(options, NO_CONFIRMATION),
    }
  }

  const made = (state = {}) => addMonitor(database.db, { team_id: teamId, state: { status: 'up', ...state } })
  const checksOf = (id: number) =>
    rows('SELECT status, error_message AS message FROM checks WHERE monitor_id = $1 ORDER BY checked_at', id)
  const incidentsOf = (id: number) =>
    rows("SELECT started_at, cause FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1", id)
  const stateOf = async (id: number) =>
    (
      await rows(
        'SELECT status, failed_attempts AS failed, next_attempt_at AS next FROM monitor_state WHERE monitor_id = $1',
        id,
      )
    )[0]

  it('survive the process that made them: the next one goes on counting, and the last failure opens the incident', async () => {
    const monitor = await made()
    const options = { attempts: 3, retry_seconds: 20 }
    const results: [CheckResult, number][] = [
      [DOWN, 0],
      [OURS, 10],
      [DOWN, 20],
      [DOWN, 40],
    ]
    const isAttempt: unknown[] = []
    for (const [result, seconds] of results) {
      const another = createRecorder(database.db, (error) => troubles.push(error))
      isAttempt.push((await another.record(finding(monitor, result, seconds, options))).isAttempt)
      await another.close()
      if (seconds === 20)
        assert.deepEqual(await stateOf(monitor.id), {
          ...{ status: 'up', failed: 2, next: new Date(startMs + 40 * SECOND_MS) },
        })
    }
    assert.deepEqual(isAttempt, [true, undefined, true, undefined])
    assert.deepEqual(await checksOf(monitor.id), [
      { status: 'pending', message: 'HTTP 503 (expected 200), attempt 1 of 3' },
      { status: 'pending', message: 'our network seems to be down' },
      { status: 'pending', message: 'HTTP 503 (expected 200), attempt 2 of 3' },
      { status: 'down', message: 'HTTP 503 (expected 200)' },
    ])
    assert.deepEqual(await incidentsOf(monitor.id), [
      { started_at: new Date(startMs + 40 * SECOND_MS), cause: 'HTTP 503 (expected 200)' },
    ])
    assert.deepEqual(await stateOf(monitor.id), { status: 'down', failed: 3, next: null })
  })

  it('count in one batch as they do one by one', async () => {
    const monitor = await made()
    const options = { attempts: 3, retry_seconds: 1 }
    await Promise.all([0, 1, 2].map((seconds) => recorder.record(finding(monitor, DOWN, seconds, options))))
    assert.deepEqual(
      (await checksOf(monitor.id)).map(({ status }) => status),
      ['pending', 'pending', 'down'],
    )
    assert.equal((await incidentsOf(monitor.id)).length, 1)
  })

  it('end with a pass, and nobody ever knew', async () => {
    const monitor = await made()
    const options = { attempts: 2 }
    await recorder.record(finding(monitor, DOWN, 0, options))
    await recorder.record(finding(monitor, UP, 20, options))
    assert.deepEqual(await stateOf(monitor.id), { status: 'up', failed: 0, next: null })
    assert.deepEqual(await incidentsOf(monitor.id), [])
  })

  it('are of one monitor alone, and one that sets nothing fails at once', async () => {
    const monitor = await made()
    await recorder.record(finding(monitor, DOWN, 0, {}))
    assert.deepEqual(await checksOf(monitor.id), [{ status: 'down', message: 'HTTP 503 (expected 200)' }])
    assert.deepEqual(await stateOf(monitor.id), { status: 'down', failed: 0, next: null })
  })

  it('need as many passes as the monitor wants', async () => {
    const monitor = await made()
    const options = { recovery_checks: 2 }
    await recorder.record(finding(monitor, DOWN, 0, options))
    await recorder.record(finding(monitor, UP, 20, options))
    assert.equal((await stateOf(monitor.id))?.status, 'down')
    await recorder.record(finding(monitor, UP, 40, options))
    assert.equal((await stateOf(monitor.id))?.status, 'up')
  })

  it('of a heartbeat are none, but it may be upside down and need several pings', async () => {
    const options = { inverted: true, recovery_checks: 2 }
    const due = new Date(Date.now() - SECOND_MS)
    const monitor = await addMonitor(database.db, {
      ...{ team_id: teamId, type: 'heartbeat', url: null, options },
      state: { status: 'up', heartbeat_due_at: due },
    })
    const report = (result: CheckResult, heartbeat: 'ping' | 'silence', at: Date) =>
      recorder.record({
        ...{
          monitorId: monitor.id,
          revision: null,
          region: null,
          result,
          heartbeat,
          ping: null,
          checkedAt: at,
        },
      })
    const silent = resultWithout('down', 'no ping within 60 s')
    await report(UP, 'ping', new Date(due.getTime() - 2 * SECOND_MS))
    assert.deepEqual(
      (await incidentsOf(monitor.id)).map(({ cause }) => cause),
      ['is up, and should be down'],
    )
    for (const seconds of [120, 60]) {
      const at = new Date(Date.now() - seconds * SECOND_MS)
      await database.db.pool.query('UPDATE monitor_state SET heartbeat_due_at = $2 WHERE monitor_id = $1', [
        monitor.id,
        at,
      ])
      await report(silent, 'silence', new Date())
    }
    assert.equal((await stateOf(monitor.id))?.status, 'up')
    assert.deepEqual(
      (await checksOf(monitor.id)).map(({ status }) => status),
      ['down', 'up', 'up'],
    )
  })
})
