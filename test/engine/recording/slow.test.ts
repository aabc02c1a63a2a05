import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Assertions } from '../../../src/core/expectations/assertion.ts'
import { ofSeveralChecks, percentile95 } from '../../../src/core/expectations/response-times.ts'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { NO_CONFIRMATION } from '../../../src/core/monitors/confirmation.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { patienceOf } from '../../../src/core/monitors/options/patience.ts'
import type { Finding } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { readHistory } from '../../../src/engine/recording/under-history.ts'
import type { Connection } from '../../../src/postgres/database.ts'
import { renewRevisions } from '../../../src/store/monitors/monitor-changes.ts'
import { randomFrom } from '../../support/history/checks.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const SEED = 81
const SECOND_MS = 1_000
const DOWN = resultWithout('down', 'no answer within 10 s')
const WORDS = 'response took 1,204 ms (expected less than 800)'
const SLOW: CheckResult = { ...UP, status: 'degraded', errorMessage: WORDS, unmet: true, unmetAt: 0 }
const REGIONS = ['fra', 'nyc', null]

const within = (property: string, target: number, severity: 'down' | 'degraded' = 'degraded') => ({
  assertions: Assertions.parse([
    { source: 'response_time_p95_ms', property, comparison: 'at_most', target, severity },
  ]),
})
const took = (responseTimeMs: number): CheckResult => ({ ...UP, responseTimeMs })
const wordsOf = (ms: number, target: number, checks: number) =>
  `95th percentile of the last ${checks} checks is ${ms} ms (expected at most ${target})`

describe('slow checks on record', () => {
  let database: TestDatabase
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const startMs = Date.now() - 7_200_000
  const at = (seconds: number) => new Date(startMs + seconds * SECOND_MS)
  const rows = async (text: string, id: number) => (await database.db.pool.query(text, [id])).rows
  const made = (columns: NewMonitor = {}) =>
    addMonitor(database.db, { team_id: teamId, state: { status: 'up' }, ...columns })
  const recorderOf = () => createRecorder(database.db, (error) => troubles.push(error))

  function finding(
    { id, revision }: AddedMonitor,
    result: CheckResult,
    seconds: number,
    options: MonitorOptions,
  ): Finding {
    return {
      ...{ monitorId: id, revision, result, heartbeat: null, ping: null },
      region: REGIONS[seconds % REGIONS.length] ?? null,
      checkedAt: at(seconds),
      patience: patienceOf(options, NO_CONFIRMATION),
      assertions: ofSeveralChecks(options.assertions),
    }
  }

  /** Each by a recorder of its own, as after a restart; whether each asks for a further attempt. */
  async function record(monitor: AddedMonitor, found: [CheckResult, number][], options: MonitorOptions) {
    const asked: boolean[] = []
    for (const [result, seconds] of found) {
      const recorder = recorderOf()
      asked.push((await recorder.record(finding(monitor, result, seconds, options))).isAttempt ?? false)
      await recorder.close()
    }
    return asked
  }

  const checksOf = async ({ id }: AddedMonitor) =>
    (
      await rows(
        'SELECT status, error_message AS message FROM checks WHERE monitor_id = $1 ORDER BY checked_at',
        id,
      )
    ).map(({ status, message }) => (message === null ? status : `${status} ${message}`))
  const stateOf = async ({ id }: AddedMonitor) =>
    (
      await rows(
        `SELECT status, unmet, failed_attempts AS failed, unwell_attempts AS unwell, response_times AS times
         FROM monitor_state WHERE monitor_id = $1`,
        id,
      )
    )[0]
  const toldOf = async ({ id }: AddedMonitor) =>
    (
      await rows(
        `SELECT event, alert ->> 'cause' AS cause FROM deliveries WHERE subject_id = $1 AND kind = 'monitor' ORDER BY id`,
        id,
      )
    ).map(({ event, cause }) => `${event} ${cause}`)

  it('take as many attempts as failures do, over restarts and regions, and warn once', async () => {
    const monitor = await made()
    const found = [SLOW, DOWN, SLOW, SLOW, UP, SLOW].map((result, index): [CheckResult, number] => [
      ...([result, index * 20] as const),
    ])
    assert.deepEqual(await record(monitor, found, { attempts: 3 }), [true, true, false, false, false, true])
    assert.deepEqual(await checksOf(monitor), [
      `pending ${WORDS}, attempt 1 of 3`,
      'pending no answer within 10 s, attempt 1 of 3',
      `degraded ${WORDS}`,
      `degraded ${WORDS}`,
      'up',
      `pending ${WORDS}, attempt 1 of 3`,
    ])
    assert.deepEqual(await toldOf(monitor), [`monitor.degraded ${WORDS}`])
    assert.deepEqual(await stateOf(monitor), {
      ...{ status: 'up', unmet: false, failed: 0, unwell: 1, times: null },
    })
  })

  it('begin anew with a change of the monitor', async () => {
    const monitor = await made()
    await record(monitor, [[SLOW, 0]], { attempts: 2 })
    await database.db.transaction((trx) => renewRevisions(trx, [monitor.id]))
    assert.equal((await stateOf(monitor))?.unwell, 0)
  })

  it('are over as failures are: after as many checks as recovery needs', async () => {
    const monitor = await made()
    const found = [SLOW, UP, SLOW, UP, UP].map((result, index): [CheckResult, number] => [result, index])
    const statuses: string[] = []
    for (const one of found) {
      await record(monitor, [one], { recovery_checks: 2 })
      statuses.push((await stateOf(monitor))?.status)
    }
    assert.deepEqual(statuses, ['degraded', 'degraded', 'degraded', 'degraded', 'up'])
    assert.deepEqual(await toldOf(monitor), [`monitor.degraded ${WORDS}`])
  })

  it('are judged by the checks of all regions, whichever process records which, as by all of them at once', async () => {
    const monitor = await made()
    const random = randomFrom(SEED)
    const times = Array.from({ length: 60 }, (_, index) =>
      index % 15 === 14 ? null : Math.floor(random() * 1_000),
    )
    const recorders = [recorderOf(), recorderOf(), recorderOf()]
    const expected: string[] = []
    const known: number[] = []
    for (const [second, ms] of times.entries()) {
      const recorder = recorders[Math.floor(random() * 3)] as ReturnType<typeof recorderOf>
      await recorder.record(finding(monitor, ms === null ? DOWN : took(ms), second, within('7', 900)))
      if (ms === null) expected.push('down no answer within 10 s')
      else {
        known.push(ms)
        const p95 = percentile95(known, 7)
        expected.push(p95 === null || p95 <= 900 ? 'up' : `degraded ${wordsOf(p95, 900, 7)}`)
      }
    }
    await Promise.all(recorders.map((one) => one.close()))
    assert.deepEqual(await checksOf(monitor), expected)
    assert.ok(expected.some((one) => one.startsWith('degraded')) && expected.includes('up'))
    assert.deepEqual((await stateOf(monitor))?.times, known)
    const begun = expected.filter(
      (one, index) => one.startsWith('degraded') && !expected[index - 1]?.startsWith('degraded'),
    )
    const told = (await toldOf(monitor)).filter((one) => one.startsWith('monitor.degraded'))
    assert.deepEqual(
      told,
      begun.map((one) => `monitor.${one}`),
    )
  })

  it('are known once, in their order, however many processes record them at the same time', async () => {
    const monitor = await made()
    const recorders = [recorderOf(), recorderOf(), recorderOf()]
    const ms = Array.from({ length: 60 }, (_, second) => 600 + second)
    await Promise.all(
      ms.map((one, second) =>
        recorders[second % 3]?.record({
          ...finding(monitor, took(one), second, within('2', 500)),
          // Fenced as those of probers are: one that is older than what was judged is history.
          membership: null,
          tick: {
            ...{ from: at(second), until: at(second + 1), region: 'fra' },
            ...{ hasTurn: true, askedAtMs: 0 },
          },
        }),
      ),
    )
    await Promise.all(recorders.map((one) => one.close()))
    const { times, status } = await stateOf(monitor)
    assert.deepEqual(
      times,
      times.toSorted((one: number, other: number) => one - other),
    )
    assert.deepEqual([times.at(-1), status], [ms.at(-1), 'degraded'])
    assert.equal((await toldOf(monitor)).length, 1)
  })

  it('are judged in one batch as one by one', async () => {
    const monitor = await made()
    const recorder = recorderOf()
    await Promise.all(
      [100, 900, 100, 100, 100].map((ms, second) =>
        recorder.record(finding(monitor, took(ms), second, within('3', 500))),
      ),
    )
    await recorder.close()
    const slow = `degraded ${wordsOf(900, 500, 3)}`
    assert.deepEqual(await checksOf(monitor), ['up', 'up', slow, slow, 'up'])
    assert.deepEqual(await toldOf(monitor), [`monitor.${slow}`])
  })

  it('are those from before the assertion, too; without one, none are kept', async () => {
    const monitor = await made()
    const before = [100, 100, 900].map((ms, second): [CheckResult, number] => [took(ms), second])
    await record(monitor, before, {})
    assert.equal((await stateOf(monitor))?.times, null)
    await record(monitor, [[took(100), 10]], within('4', 500))
    assert.deepEqual((await stateOf(monitor))?.times, [100, 100, 900, 100])
    assert.equal((await stateOf(monitor))?.status, 'degraded')
    await record(monitor, [[took(100), 11]], {})
    assert.deepEqual(await stateOf(monitor), {
      ...{ status: 'up', unmet: false, failed: 0, unwell: 0, times: null },
    })
  })

  it('fail with an incident, take attempts, and change the group that the monitor is in', async () => {
    const monitor = await made()
    const group = await made({
      ...{ type: 'group', url: null, options: { members: [monitor.id] } },
    })
    const options = { ...within('2', 500, 'down'), attempts: 2 }
    const found = [900, 100, 100].map((ms, index): [CheckResult, number] => [took(ms), index * 20])
    assert.deepEqual(await record(monitor, found.slice(0, 2), options), [false, true])
    assert.equal((await stateOf(group))?.status, 'up')
    await record(monitor, [[took(900), 40]], options)
    const cause = wordsOf(900, 500, 2)
    assert.deepEqual(await checksOf(monitor), ['up', `pending ${cause}, attempt 1 of 2`, `down ${cause}`])
    assert.deepEqual(await toldOf(monitor), [`monitor.down ${cause}`])
    assert.equal((await stateOf(group))?.status, 'down')
  })

  it('are planned under a window', async () => {
    const monitor = await made()
    const [begin, end] = [new Date(startMs), new Date(startMs + 3_600_000)]
    const window = oneOff(begin.toISOString(), end.toISOString())
    const covers = { all_subjects: false, monitor_ids: [monitor.id] }
    await addWindow(database.db, teamId, { ...window, ...covers }, begin)
    await record(
      monitor,
      [
        [took(900), 60],
        [took(900), 61],
      ],
      within('2', 500, 'down'),
    )
    assert.deepEqual(await checksOf(monitor), ['up', `maintenance ${wordsOf(900, 500, 2)}`])
    assert.deepEqual(await toldOf(monitor), [])
  })

  it('ask nothing of the database for monitors without such an assertion', async () => {
    const monitor = await made()
    const client = { query: () => assert.fail('a statement') } as unknown as Connection
    assert.equal(await readHistory(client, [finding(monitor, took(1), 0, {})], new Map()), null)
  })
})
