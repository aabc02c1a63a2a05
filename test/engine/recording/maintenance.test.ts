import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { formatInstant } from '../../../src/core/instant.ts'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { NO_CONFIRMATION } from '../../../src/core/monitors/confirmation.ts'
import { patienceOf } from '../../../src/core/monitors/options/patience.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import type { Finding, Recorder } from '../../../src/engine/recording/finding.ts'
import { recordBatch } from '../../../src/engine/recording/record-batch.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { inPipelinedTransaction } from '../../../src/postgres/database.ts'
import { newestChecks } from '../../../src/store/history/history.ts'
import { keepOccurrence } from '../../../src/store/maintenance/occurrences.ts'
import { markWindowDeleted, updateWindow, windowsChanged } from '../../../src/store/maintenance/windows.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addProber } from '../../support/records/probing.ts'
import { addTeam } from '../../support/records/teams.ts'

const MINUTE_MS = 60_000
const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const WARNING: CheckResult = {
  ...resultWithout('down', 'certificate expires in 6 days'),
  status: 'degraded',
  certificate: { expiresAt: new Date('2027-01-01'), fingerprint: 'aa' },
}

/** Noon of today, so that the day's partition is there. Minutes from it are the times of these tests. */
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000
const at = (minute: number) => new Date(NOON_MS + minute * MINUTE_MS)
const from = (start: number, end: number) => oneOff(at(start).toISOString(), at(end).toISOString())

type Kind = 'http' | 'heartbeat' | 'remote probe'
type State = 'up' | 'down'

describe('judging under maintenance', () => {
  let database: TestDatabase
  let recorder: Recorder
  let membership: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    membership = await addProber(database.db, { region: 'nyc' })
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[]) => (await database.db.pool.query(text, values)).rows

  /** A monitor of a team of its own, with a contact. */
  async function createMonitor(columns: NewMonitor = {}): Promise<AddedMonitor> {
    const team_id = await addTeam(database.db)
    await addContacts(database.db, [{ team_id }])
    return addMonitor(database.db, { team_id, ...columns })
  }

  const addTo = ({ teamId }: AddedMonitor, window: Parameters<typeof addWindow>[2], since?: Date) =>
    addWindow(database.db, teamId, window, since ?? new Date(0))

  function findingOf(kind: Kind, monitor: AddedMonitor, result: CheckResult, minute: number): Finding {
    const checkedAt = at(minute)
    const { id: monitorId, revision } = monitor
    const finding = { monitorId, revision, checkedAt, region: null, result, heartbeat: null, ping: null }
    switch (kind) {
      case 'http':
        return finding
      case 'heartbeat': {
        const ping = { monitorId, receivedAt: checkedAt, exitStatus: null, runId: null, body: null }
        const isUp = result.status === 'up'
        return {
          ...finding,
          revision: null,
          heartbeat: 'ping',
          ping: { ...ping, kind: isUp ? 'success' : 'fail' },
        }
      }
      case 'remote probe': {
        const tick = { from: at(minute - 0.25), until: at(minute + 0.25), region: 'nyc' }
        return { ...finding, membership, region: 'nyc', tick: { ...tick, hasTurn: true, askedAtMs: 0 } }
      }
    }
  }

  async function record(monitor: AddedMonitor, result: CheckResult, minute: number, kind: Kind = 'http') {
    const recorded = await recorder.record(findingOf(kind, monitor, result, minute))
    assert.equal(recorded.kind, 'recorded')
  }

  const statusOf = async ({ id }: AddedMonitor) =>
    (await query('SELECT status FROM monitor_state WHERE monitor_id = $1', [id]))[0].status
  const eventsOf = async ({ id }: AddedMonitor): Promise<string[]> =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event.replace('monitor.', ''))
  const incidentsOf = ({ id }: AddedMonitor) =>
    query(
      "SELECT started_at, resolved_at, cause FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id",
      [id],
    )
  const checksOf = async ({ id }: AddedMonitor) =>
    (await newestChecks(database.db.query, id, null, 100)).map(({ status }) => status).reverse()

  describe('what was told down is told recovered, once; what was not is not; what fails at the end is told then', () => {
    // The window is from minute 0 to minute 60. Untold: it failed under the window before, too.
    const rows: [
      start: State | 'untold',
      inside: State,
      end: State,
      told: string[],
      incident: number | null,
    ][] = [
      ['up', 'up', 'up', [], null],
      ['up', 'up', 'down', ['down'], 61],
      ['up', 'down', 'up', [], null],
      ['up', 'down', 'down', ['down'], 60],
      ['down', 'up', 'up', ['down', 'recovery'], -2],
      ['down', 'up', 'down', ['down', 'recovery', 'down'], 61],
      ['down', 'down', 'up', ['down', 'recovery'], -2],
      ['down', 'down', 'down', ['down'], -2],
      ['untold', 'up', 'up', [], null],
      ['untold', 'up', 'down', ['down'], 61],
      ['untold', 'down', 'up', [], null],
      ['untold', 'down', 'down', ['down'], 60],
    ]
    const resultOf = (state: State | 'untold') => (state === 'up' ? UP : DOWN)
    for (const kind of ['http', 'heartbeat', 'remote probe'] as const) {
      it(kind, async () => {
        for (const [start, inside, end, told, incident] of rows) {
          const name = `${start}, ${inside}, ${end}`
          const monitor = await createMonitor({ type: kind === 'heartbeat' ? 'heartbeat' : 'http' })
          await addTo(monitor, from(0, 60))
          if (start === 'untold') await addTo(monitor, from(-30, 0))
          await record(monitor, resultOf(start), -2, kind)
          await record(monitor, resultOf(inside), 0, kind)
          await record(monitor, resultOf(inside), 59, kind)
          assert.equal(await statusOf(monitor), inside === 'up' ? 'up' : 'maintenance', name)
          await record(monitor, resultOf(end), 61, kind)
          await record(monitor, resultOf(end), 62, kind)
          assert.equal(await statusOf(monitor), end, name)
          assert.deepEqual(await eventsOf(monitor), told, name)
          const incidents = await incidentsOf(monitor)
          const startedAt = incident === null ? undefined : at(incident)
          assert.deepEqual(incidents.at(-1)?.started_at, startedAt, name)
        }
      })
    }
  })

  it('a failure inside keeps its reason, and what is wrong at the end is the cause', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, from(0, 60))
    await record(monitor, { ...DOWN, responseTimeMs: 12, httpStatusCode: 503 }, 10)
    await record(monitor, resultWithout('down', 'connection refused'), 61)
    const [last, inside] = await newestChecks(database.db.query, monitor.id, null, 2)
    assert.deepEqual(
      [inside?.status, inside?.errorMessage, inside?.responseTimeMs, inside?.httpStatusCode],
      ['maintenance', DOWN.errorMessage, 12, 503],
    )
    assert.equal(last?.status, 'down')
    const [incident] = await incidentsOf(monitor)
    assert.deepEqual(incident, { started_at: at(60), resolved_at: null, cause: 'connection refused' })
    const [{ alert }] = await query(
      "SELECT alert FROM deliveries WHERE kind = 'monitor' AND subject_id = $1",
      [monitor.id],
    )
    assert.equal(alert.occurredAt, formatInstant(at(60)))
  })

  it('windows that touch or overlap are one: the incident starts at the last end', async () => {
    const monitor = await createMonitor()
    for (const [start, end] of [
      [0, 20],
      [10, 60],
      [15, 30],
      [60, 70],
    ] as const)
      await addTo(monitor, from(start, end))
    for (const minute of [5, 25, 45, 65]) await record(monitor, DOWN, minute)
    await record(monitor, DOWN, 71)
    assert.deepEqual((await incidentsOf(monitor))[0].started_at, at(70))
  })

  it('covers what it names, and nothing else', async () => {
    const monitor = await createMonitor()
    const other = await addMonitor(database.db, { team_id: monitor.teamId })
    await addTo(monitor, {
      ...from(0, 60),
      all_subjects: false,
      monitor_ids: [monitor.id],
      server_ids: [],
      site_ids: [],
    })
    await record(monitor, DOWN, 10)
    await record(other, DOWN, 10)
    assert.deepEqual([await statusOf(monitor), await statusOf(other)], ['maintenance', 'down'])
  })

  it('warns of a certificate after the window, once', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, from(0, 60))
    await record(monitor, WARNING, 10)
    assert.deepEqual([await statusOf(monitor), await eventsOf(monitor)], ['degraded', []])
    for (const minute of [61, 62]) await record(monitor, WARNING, minute)
    assert.deepEqual(await eventsOf(monitor), ['degraded'])
  })

  it('counts passes toward a recovery inside and over both ends', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, from(0, 60))
    const recordPass = (minute: number) =>
      recorder.record({
        ...findingOf('http', monitor, UP, minute),
        patience: patienceOf({ recovery_checks: 3 }, NO_CONFIRMATION),
      })
    await record(monitor, DOWN, -3)
    await recordPass(-1)
    await recordPass(1)
    await record(monitor, DOWN, 10)
    assert.equal(await statusOf(monitor), 'maintenance')
    await recordPass(58)
    await recordPass(59)
    assert.deepEqual([await statusOf(monitor), await eventsOf(monitor)], ['maintenance', ['down']])
    await recordPass(61)
    assert.deepEqual([await statusOf(monitor), await eventsOf(monitor)], ['up', ['down', 'recovery']])
  })

  it('judges what comes late by its own time, and so keeps it', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, from(0, 60))
    await record(monitor, UP, 65, 'remote probe')
    for (const minute of [-1, 30, 61]) await record(monitor, DOWN, minute, 'remote probe')
    assert.deepEqual(await checksOf(monitor), ['down', 'maintenance', 'down', 'up'])
    assert.deepEqual([await statusOf(monitor), await eventsOf(monitor)], ['up', []])
  })

  it('goes by windows as they are when it judges: created, cut, prolonged, deleted', async () => {
    const monitor = await createMonitor()
    const { teamId } = monitor
    const change = (work: (query: TestDatabase['db']['query']) => Promise<void>) =>
      database.db.query.transaction().execute(async (query) => {
        await work(query)
        await windowsChanged(query, teamId)
      })
    const subjects = { all_subjects: true, monitor_ids: [], server_ids: [], site_ids: [] }

    await record(monitor, DOWN, 1)
    assert.equal(await statusOf(monitor), 'down')
    const id = await addTo(monitor, from(2, 60), at(2))
    await record(monitor, DOWN, 3)
    assert.equal(await statusOf(monitor), 'maintenance')
    await record(monitor, UP, 4)
    await record(monitor, DOWN, 5)
    // Changed to another time at minute 10: what ran ends then.
    await change(async (query) => {
      const cut = { windowId: id, startsAt: at(2), endsAt: at(10), endedBy: 'change' as const, ...subjects }
      await keepOccurrence(query, teamId, cut)
      await updateWindow(query, teamId, id, from(20, 60), at(10))
    })
    await record(monitor, DOWN, 11)
    await record(monitor, UP, 12)
    await record(monitor, DOWN, 21)
    // Ended by hand at minute 30.
    await change((query) =>
      keepOccurrence(query, teamId, {
        windowId: id,
        startsAt: at(20),
        endsAt: at(30),
        endedBy: 'person',
        ...subjects,
      }),
    )
    await record(monitor, DOWN, 31)
    await record(monitor, UP, 32)
    // A turn of a switch, which is deleted while it runs.
    const other = await addTo(monitor, switchWindow(), at(0))
    const turn = { windowId: other, startsAt: at(40), endsAt: at(100), endedBy: null, ...subjects }
    await change((query) => keepOccurrence(query, teamId, turn))
    await record(monitor, DOWN, 41)
    await change(async (query) => {
      await keepOccurrence(query, teamId, { ...turn, endsAt: at(50), endedBy: 'change' })
      await markWindowDeleted(query, teamId, other, at(50))
    })
    await record(monitor, DOWN, 51)
    assert.deepEqual(await checksOf(monitor), [
      'down',
      'maintenance',
      'up',
      'maintenance',
      'down',
      'up',
      'maintenance',
      'down',
      'up',
      'maintenance',
      'down',
    ])
    assert.deepEqual(
      (await incidentsOf(monitor)).map(({ started_at }) => started_at),
      [1, 10, 30, 50].map(at),
    )
    assert.deepEqual(await eventsOf(monitor), [
      'down',
      'recovery',
      'down',
      'recovery',
      'down',
      'recovery',
      'down',
    ])
  })

  describe("a heartbeat's time in windows does not count against it", () => {
    const MISSED = resultWithout('down', 'no ping for 60 s')
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
    const between = (start: Date, end: Date) => oneOff(start.toISOString(), end.toISOString())

    /** A heartbeat with an interval of a minute, whose last ping came `seconds` ago. */
    const createHeartbeat = (seconds: number) =>
      createMonitor({ type: 'heartbeat', state: { heartbeat_due_at: ago(seconds - 60), status: 'up' } })
    const silence = ({ id: monitorId, revision }: AddedMonitor) =>
      recorder.record({
        ...findingOf('http', { id: monitorId, revision, teamId: 0 }, MISSED, 0),
        checkedAt: new Date(),
        heartbeat: 'silence',
      })

    it('a silence inside is none, and is asked about again when it may be one', async () => {
      const monitor = await createHeartbeat(1_800)
      const end = ago(-600)
      await addTo(monitor, between(ago(1_790), end))
      const { kind, heartbeatDueAt } = await silence(monitor)
      // Ten seconds had passed before the window.
      assert.ok(heartbeatDueAt)
      assert.equal(kind, 'stale')
      assert.ok(Math.abs(heartbeatDueAt.getTime() - end.getTime() - 50_000) < 1_000)
      assert.deepEqual([await statusOf(monitor), await checksOf(monitor)], ['up', []])
    })

    it('is late once the rest of its interval is over after the window, and due again an interval later', async () => {
      const monitor = await createHeartbeat(1_800)
      const [start, end] = [ago(1_790), ago(40)]
      const id = await addTo(monitor, between(start, end))
      assert.equal((await silence(monitor)).kind, 'stale')
      // The window turns out to have ended half a minute earlier.
      const ended = { startsAt: start, endsAt: ago(70), endedBy: 'person' as const }
      const turn = {
        ...ended,
        windowId: id,
        all_subjects: true,
        monitor_ids: [],
        server_ids: [],
        site_ids: [],
      }
      await database.db.query.transaction().execute(async (query) => {
        await keepOccurrence(query, monitor.teamId, turn)
        await windowsChanged(query, monitor.teamId)
      })
      const { kind, heartbeatDueAt } = await silence(monitor)
      assert.equal(kind, 'recorded')
      const [state] = await query('SELECT heartbeat_due_at FROM monitor_state WHERE monitor_id = $1', [
        monitor.id,
      ])
      const lastPing = ago(1_800).getTime()
      const expected = turn.endsAt.getTime() + 60_000 - (start.getTime() - lastPing) + 60_000
      assert.ok(Math.abs(state.heartbeat_due_at.getTime() - expected) < 1_000)
      assert.deepEqual(heartbeatDueAt, state.heartbeat_due_at)
      assert.deepEqual([await statusOf(monitor), await eventsOf(monitor)], ['down', ['down']])
    })

    it('an end of a window tells a job that failed in it down, once, and no other', async () => {
      const [failed, passed, covered] = [
        await createMonitor({ type: 'heartbeat' }),
        await createMonitor({ type: 'heartbeat' }),
        await createMonitor({ type: 'heartbeat' }),
      ]
      for (const monitor of [failed, passed]) await addTo(monitor, from(0, 60))
      await addTo(covered, from(0, 120))
      for (const monitor of [failed, passed, covered]) await record(monitor, DOWN, 10, 'heartbeat')
      await record(passed, UP, 20, 'heartbeat')
      const end = (monitor: AddedMonitor, minute: number) =>
        recorder.record({ ...findingOf('http', monitor, DOWN, minute), heartbeat: 'end' })
      const kinds = []
      for (const monitor of [failed, passed, covered, failed])
        kinds.push((await end(monitor, 60 + kinds.length)).kind)
      assert.deepEqual(kinds, ['recorded', 'stale', 'stale', 'stale'])
      assert.deepEqual(await eventsOf(failed), ['down'])
      assert.deepEqual((await incidentsOf(failed))[0].started_at, at(60))
    })
  })

  it('a window of a zone that this machine does not know applies to nothing, and the others do', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, recurring({ time_zone: 'Mars/Olympus', rule: 'FREQ=DAILY' }))
    await addTo(monitor, from(0, 60))
    await record(monitor, DOWN, 30)
    assert.equal(await statusOf(monitor), 'maintenance')
    await record(monitor, DOWN, 61)
    assert.equal(await statusOf(monitor), 'down')
  })

  it('costs results that pass no statement, and others one while windows do not change', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, from(0, 60))
    const windows = createKnownWindows()
    async function statementsFor(results: CheckResult[], minute: number): Promise<string[]> {
      const names: string[] = []
      const findings = results.map((result, index) =>
        findingOf('http', monitor, result, minute + index / 1_000),
      )
      await inPipelinedTransaction(database.db.pipelined, (client, begun) => {
        const counted = Object.create(client, {
          query: {
            value: (statement: { name?: string }, ...rest: []) => {
              names.push(statement.name ?? '')
              return client.query(statement as never, ...rest)
            },
          },
        })
        return recordBatch(counted, findings, windows, { begun, again: false })
      })
      return names.filter((name) => /window|maintenance|occurrence/.test(name))
    }
    const passing = [UP, { ...UP, responseTimeMs: 3 }, UP]
    const revision = 'read-maintenance-revisions-of-subjects'
    assert.deepEqual(await statementsFor(passing, 10), [])
    assert.ok((await statementsFor([DOWN, DOWN], 11)).length > 1)
    assert.deepEqual(await statementsFor([DOWN, DOWN, UP, DOWN], 12), [revision])
    assert.deepEqual(await statementsFor(passing, 13), [])
    assert.deepEqual(await statementsFor([DOWN], 61), [revision])
    assert.deepEqual(await statementsFor(passing, 62), [])
  })

  it('two recorders and a new one agree, as all that they know is in the database', async () => {
    const monitor = await createMonitor()
    await addTo(monitor, from(0, 60))
    const others = [1, 2].map(() => createRecorder(database.db, (error) => troubles.push(error)))
    const everyone = [recorder, ...others]
    const minutes = [1, 2, 3, 61, 62, 63]
    for (const [index, minute] of minutes.entries())
      await everyone[index % 3]?.record(findingOf('http', monitor, DOWN, minute))
    await Promise.all(everyone.map((one) => one.record(findingOf('http', monitor, DOWN, 64))))
    assert.deepEqual(await eventsOf(monitor), ['down'])
    assert.deepEqual((await incidentsOf(monitor)).length, 1)
    await Promise.all(others.map((one) => one.close()))
  })
})
