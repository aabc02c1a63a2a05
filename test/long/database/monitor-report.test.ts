// npm test leaves this out: it compares reports in every range with the checks that they are made of (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../../../src/core/errors.ts'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { RELATIVE_ERROR } from '../../../src/core/history/histogram.ts'
import {
  MonitorReport,
  type Percentiles,
  type ReportPoint,
} from '../../../src/core/history/monitor-report.ts'
import { ReportRange } from '../../../src/core/history/report-range.ts'
import { knownMs, noTime, uptimeOf } from '../../../src/core/history/uptime.ts'
import type { PlanName } from '../../../src/core/teams/plan.ts'
import type { Actor } from '../../../src/operations/implementation.ts'
import { getMonitorReport } from '../../../src/operations/monitors/monitor-report.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readTimesOfWindows } from '../../../src/store/history/uptimes.ts'
import { markWindowDeleted } from '../../../src/store/maintenance/windows.ts'
import type { MonitorRecord } from '../../../src/store/monitors/monitors.ts'
import { keepChecks, realisticDay } from '../../support/history/checks.ts'
import {
  DAY_MS,
  exactQuantile,
  type Kept,
  keepAnything,
  NOON,
  readingServices,
} from '../../support/history/random-history.ts'
import { NO_TROUBLE, timesOf } from '../../support/history/trouble.ts'
import { openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addWindow, keepSpan } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { addIncident } from '../../support/records/history.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addRow } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'

const HOUR_MS = 3_600_000
const STEPS_MS = { '24h': HOUR_MS / 4, '7d': HOUR_MS, '30d': 3 * HOUR_MS, '90d': DAY_MS }
const SINCE = new Date('2027-03-01T00:00:00Z')
const CREATED = new Date('2026-10-01T00:00:00Z')

test('a report agrees with the checks in each range, for all regions and for one', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids, actor } = await keepAnything(db, 2, 95)
  await assertAgrees(db, kept, ids, actor, 'before anything is rolled up')
  await tend(db, new Date('2027-03-30T23:10:00Z'))
  await assertAgrees(db, kept, ids, actor, 'with a day to roll up')
  await tend(db, NOON)
  await assertAgrees(db, kept, ids, actor, 'with the current hour to roll up')
})

test('a stretch between two instants agrees with the checks, in steps that fit its length', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids, actor } = await keepAnything(db, 1, 95)
  await tend(db, NOON)
  const [id = 0] = ids
  const checks = kept.get(id) as CheckRecord[]
  const table: [hoursAgo: number, hours: number, stepSeconds: number][] = [
    [2, 2, 60],
    [80, 3, 60],
    [12, 11.5, 300],
    [160, 30, 900],
    [24 * 9, 24 * 7.5, 3_600],
    [24 * 60, 24 * 40, 3 * 3_600],
    [24 * 92, 24 * 92, 24 * 3_600],
  ]
  for (const [hoursAgo, hours, stepSeconds] of table) {
    const from = new Date(NOON.getTime() - hoursAgo * HOUR_MS)
    const to = new Date(from.getTime() + hours * HOUR_MS)
    const what = `${hours} h from ${hoursAgo} h ago`
    const report = await reportOf(db, actor, id, { range: '24h', by: 'region', from, to })
    const stepMs = stepSeconds * 1_000
    assert.deepEqual(
      [report.step_seconds, Date.parse(report.from), Date.parse(report.to)],
      [
        stepSeconds,
        Math.floor(from.getTime() / stepMs) * stepMs,
        Math.min(NOON.getTime(), Math.ceil(to.getTime() / stepMs) * stepMs),
      ],
      what,
    )
    const within = checks.filter(
      ({ checkedAt, status }) =>
        checkedAt >= new Date(report.from) && checkedAt < new Date(report.to) && status !== 'maintenance',
    )
    assertPoints(report.points, within, stepMs, what)
    assertPercentiles(report.latency, within, what)
    assert.deepEqual(
      report.region_lines.map(({ region }) => region),
      report.regions,
    )
    for (const { region, points } of report.region_lines) {
      const there = await reportOf(db, actor, id, { range: '24h', region, from, to })
      assert.deepEqual(
        points,
        there.points.map(({ at, p50_ms }) => ({ at, p50_ms })),
      )
    }
  }
})

test('a stretch shows nothing from before the history that the plan keeps', async (t) => {
  const db = await openWithoutDays(t)
  const { ids, actor } = await keepAnything(db, 1, 6, 'free')
  const stretch = (daysAgo: number) => {
    const from = new Date(NOON.getTime() - daysAgo * DAY_MS)
    return reportOf(db, actor, ids[0] as number, {
      range: '24h',
      from,
      to: new Date(from.getTime() + 2 * DAY_MS),
    })
  }
  assert.deepEqual((await stretch(6)).points, [])
  const cut = await stretch(4)
  const keptFrom = new Date(NOON.getTime() - 3 * DAY_MS)
  assert.ok(cut.points.length > 0 && cut.points.every(({ at }) => new Date(at) >= keptFrom))
})

test('a stretch is refused without one of its ends, the wrong way round, too short and too long', async (t) => {
  const db = await openWithoutDays(t)
  const { ids, actor } = await keepAnything(db, 1, 1, 'business', 2)
  const before = (ms: number) => new Date(NOON.getTime() - ms)
  const table: [ends: { from?: Date; to?: Date }, field: string][] = [
    [{ from: before(HOUR_MS) }, 'to'],
    [{ to: NOON }, 'from'],
    [{ from: NOON, to: before(HOUR_MS) }, 'to'],
    [{ from: before(299_000), to: NOON }, 'to'],
    [{ from: before(401 * DAY_MS), to: NOON }, 'to'],
  ]
  for (const [ends, field] of table) {
    const asked = reportOf(db, actor, ids[0] as number, { range: '24h', ...ends })
    const refusal = await asked.then(
      () => null,
      (error: unknown) => error as Refusal,
    )
    assert.deepEqual(Object.keys(refusal?.members.errors ?? {}), [field], JSON.stringify(ends))
  }
})

test('of checks that all took as long every percentile is that time, before and after they are rolled up', async (t) => {
  const db = await openWithoutDays(t)
  const { id, teamId } = await addMonitor(db)
  const { actor } = await keepAnything(db, 1, 1, 'business', 2)
  const checks = realisticDay(60, new Date('2027-03-30T00:00:00Z')).map((check) => ({
    ...check,
    status: 'up' as const,
    responseTimeMs: 72,
  }))
  await keepChecks(db, id, checks)
  for (const when of ['before', 'after']) {
    for (const range of ReportRange.options) {
      const { latency } = await reportOf(db, { ...actor, teamId }, id, { range })
      assert.deepEqual(latency, { p50_ms: 72, p95_ms: 72, p99_ms: 72, mean_ms: 72 }, `${range} ${when}`)
    }
    await tend(db, NOON)
  }
})

test('a report has the uptime of each of the last 90 days', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids, actor } = await keepAnything(db, 1, 95)
  await tend(db, NOON)
  const [id = 0] = ids
  const { days, maintenance_days } = await reportOf(db, actor, id, { range: '24h' })
  const today = Math.floor(NOON.getTime() / DAY_MS) * DAY_MS
  const expected = Array.from({ length: 90 }, (_, index) => {
    const from = today - (89 - index) * DAY_MS
    const times = timesOf(
      kept.get(id) as CheckRecord[],
      NO_TROUBLE,
      from,
      Math.min(from + DAY_MS, NOON.getTime()),
    )
    return [uptimeOf(times), Math.round(times.maintenanceMs / 1_000)]
  })
  assert.deepEqual(
    days.map((share, index) => [share, maintenance_days[index]]),
    expected,
  )
})

test('a report begins no earlier than the plan shows checks', async (t) => {
  const db = await openWithoutDays(t)
  const table: [PlanName, ReportRange, days: number][] = [
    ['free', '24h', 1],
    ['free', '7d', 3],
    ['free', '90d', 3],
    ['starter', '30d', 30],
    ['starter', '90d', 30],
    ['pro', '90d', 90],
    ['business', '90d', 90],
  ]
  for (const [plan, range, days] of table) {
    const { ids, actor } = await keepAnything(db, 1, 1, plan, 2)
    const report = await reportOf(db, actor, ids[0] as number, { range })
    const from = Math.ceil((NOON.getTime() - days * DAY_MS) / STEPS_MS[range]) * STEPS_MS[range]
    assert.equal(Date.parse(report.from), from, `${plan} ${range}`)
  }
})

test('shares of uptime go back further than the checks that a plan shows', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids, actor } = await keepAnything(db, 1, 40, 'free')
  const [id = 0] = ids
  assertUptimes(await reportOf(db, actor, id, { range: '24h' }), kept.get(id) as CheckRecord[])
})

test('incidents and pauses are those that touch the range, newest first', async (t) => {
  const db = await openWithoutDays(t)
  const { ids, actor } = await keepAnything(db, 2, 1, 'business', 2)
  const [id = 0, other = 0] = ids
  const spans: [string, string | null][] = [
    ['2027-03-20T00:00Z', '2027-03-20T01:00Z'],
    ['2027-03-24T00:00Z', '2027-03-25T00:00Z'],
    ['2027-03-31T12:00Z', null],
  ]
  for (const [from, to] of spans) {
    const [started_at, resolved_at] = [new Date(from), to === null ? null : new Date(to)]
    await addIncident(db, { team_id: actor.teamId, monitor_id: id, started_at, resolved_at })
    await addRow(db, 'monitor_pauses', { monitor_id: id, paused_at: started_at, resumed_at: resolved_at })
  }
  const starts = ['2027-03-31T12:00:00.000000Z', '2027-03-24T00:00:00.000000Z']
  const report = await reportOf(db, actor, id, { range: '7d' })
  assert.deepEqual(
    report.incidents.map(({ started_at }) => started_at),
    starts,
  )
  assert.deepEqual(report.pauses, [
    { from: starts[0], to: null },
    { from: starts[1], to: '2027-03-25T00:00:00.000000Z' },
  ])
  assert.equal((await reportOf(db, actor, id, { range: '30d' })).incidents.length, 3)
  assert.deepEqual((await reportOf(db, actor, id, { range: '24h' })).pauses.length, 1)
  const quiet = await reportOf(db, actor, other, { range: '30d' })
  assert.deepEqual([quiet.incidents, quiet.pauses], [[], []])
})

test('maintenance that touches the range is there under the name of its window, and says what does not count', async (t) => {
  const db = await openWithoutDays(t)
  const { ids, actor } = await keepAnything(db, 2, 1, 'business', 2)
  const [id = 0, other = 0] = ids
  const { teamId } = actor
  const chosen = { all_subjects: false, monitor_ids: [id] }
  const moved = await addWindow(db, teamId, {
    ...oneOff('2027-03-31T12:00Z', '2027-03-31T14:00Z'),
    ...chosen,
    name: 'Data center moves',
  })
  await keepSpan(db, teamId, moved, [new Date('2027-03-25T00:00Z'), new Date('2027-03-25T02:00Z')], chosen)
  const gone = await addWindow(db, teamId, {
    ...oneOff('2027-03-30T20:00Z', '2027-03-30T23:30Z'),
    name: 'Cables',
  })
  await keepSpan(db, teamId, gone, [new Date('2027-03-30T20:00Z'), new Date('2027-03-30T23:00Z')])
  await markWindowDeleted(db.query, teamId, gone, new Date('2027-03-30T23:00Z'))
  await addWindow(db, teamId, { ...oneOff('2027-04-02T00:00Z', '2027-04-03T00:00Z'), name: 'To come' })
  await addWindow(db, await addTeam(db), oneOff('2027-03-30T00:00Z', '2027-03-30T12:00Z'))

  const span = (from: string, to: string, name: string) => ({
    from: `2027-03-${from}.000000Z`,
    to: `2027-03-${to}.000000Z`,
    name,
  })
  const moving = { ...span('31T12:00:00', '31T14:00:00', 'Data center moves'), to: null }
  const cables = span('30T20:00:00', '30T23:00:00', 'Cables')
  const report = await reportOf(db, actor, id, { range: '7d' })
  const first = span('25T00:00:00', '25T02:00:00', 'Data center moves')
  assert.deepEqual(report.maintenance, [moving, cables, first])
  assert.deepEqual((await reportOf(db, actor, id, { range: '24h' })).maintenance, [moving, cables])
  assert.deepEqual((await reportOf(db, actor, other, { range: '24h' })).maintenance, [cables])
  const late = await reportOf(db, actor, id, { range: '7d' }, new Date('2027-03-30T23:00Z'))
  assert.deepEqual(late.maintenance, [moving])

  // 12:00 to 12:34:56.789, and the three hours of the cables; the first window is older than a day.
  const maintenance_seconds = 3 * 3_600 + 2_097
  const known =
    knownMs((await readTimesOfWindows(db, [id], NOON, ['24h']))['24h'].get(id) ?? noTime()) / 1_000
  assert.deepEqual(report.uptime_times['24h'], {
    maintenance_seconds,
    unknown_seconds: Math.round(23 * 3_600 + 2_096.789 - known),
  })
  assert.equal(report.uptime_times['7d'].maintenance_seconds, maintenance_seconds + 2 * 3_600)
  // Nothing is unknown of the time before it was there, and its maintenance begins with it.
  const { unknown_seconds } = late.uptime_times['90d']
  assert.ok(unknown_seconds <= 13.6 * 3_600, `${unknown_seconds}`)
})

async function reportOf(
  db: Database,
  actor: Actor,
  id: number,
  query: { range: ReportRange; region?: string; by?: 'region'; from?: Date; to?: Date },
  created_at = CREATED,
): Promise<MonitorReport> {
  const record = { id, status_since: SINCE, created_at } as MonitorRecord
  const { body } = await getMonitorReport.perform(readingServices(db), {
    actor,
    record,
    query,
    body: undefined,
  })
  return MonitorReport.parse((body as { data: unknown }).data)
}

async function assertAgrees(db: Database, kept: Kept, ids: number[], actor: Actor, when: string) {
  for (const id of ids) {
    const checks = kept.get(id) as CheckRecord[]
    for (const range of ReportRange.options) {
      const what = `${range} ${when}`
      const whole = await reportOf(db, actor, id, { range })
      // Failures that were planned are not counted.
      const within = checks.filter(
        ({ checkedAt, status }) => checkedAt >= new Date(whole.from) && status !== 'maintenance',
      )
      assertPoints(whole.points, within, STEPS_MS[range], what)
      assertPercentiles(whole.latency, within, `all of ${what}`)
      assert.equal(whole.status_since, '2027-03-01T00:00:00.000000Z')
      assert.equal(whole.step_seconds * 1_000, STEPS_MS[range])
      const regions = [...new Set(within.flatMap(({ region }) => region || []))].sort()
      assert.deepEqual(whole.regions, regions, what)
      assertUptimes(whole, checks)

      const region = regions.includes('lon') ? 'lon' : (regions[0] as string)
      const part = await reportOf(db, actor, id, { range, region })
      const there = within.filter((check) => check.region === region)
      assertPoints(part.points, there, STEPS_MS[range], `${what} in ${region}`)
      assertPercentiles(part.latency, there, `all of ${what} in ${region}`)
      assert.deepEqual([part.regions, part.uptime], [whole.regions, whole.uptime])
    }
    const nowhere = await reportOf(db, actor, id, { range: '7d', region: 'none-such' })
    assert.deepEqual(nowhere.points, [])
    assert.deepEqual(nowhere.latency, { p50_ms: null, p95_ms: null, p99_ms: null, mean_ms: null })
  }
}

function assertPoints(points: ReportPoint[], checks: CheckRecord[], stepMs: number, what: string) {
  const steps = Map.groupBy(checks, ({ checkedAt }) => Math.floor(checkedAt.getTime() / stepMs) * stepMs)
  const expected = [...steps].sort(([a], [b]) => a - b)
  assert.deepEqual(
    points.map(({ at, up, degraded, down, pending }) => [Date.parse(at), up, degraded, down, pending]),
    expected.map(([at, inStep]) => {
      const count = (status: string) => inStep.filter((check) => check.status === status).length
      return [at, count('up'), count('degraded'), count('down'), count('pending')]
    }),
    what,
  )
  for (const [index, [, inStep]] of expected.entries()) {
    assertPercentiles(points[index] as ReportPoint, inStep, what)
  }
}

function assertPercentiles({ p50_ms, p95_ms, p99_ms }: Percentiles, checks: CheckRecord[], what: string) {
  for (const [read, q] of [[p50_ms, 0.5] as const, [p95_ms, 0.95] as const, [p99_ms, 0.99] as const]) {
    const exact = exactQuantile(checks, q)
    if (exact === null || read === null) assert.equal(read, exact, what)
    else assert.ok(Math.abs(read - exact) <= RELATIVE_ERROR * exact + 0.5, `${what}: ${read} for ${exact}`)
  }
}

function assertUptimes({ uptime }: MonitorReport, checks: CheckRecord[]) {
  for (const [window, days] of Object.entries({ '24h': 1, '7d': 7, '30d': 30, '90d': 90 })) {
    const from = Math.ceil((NOON.getTime() - days * DAY_MS) / HOUR_MS) * HOUR_MS
    assert.equal(uptime[window as ReportRange], uptimeOf(timesOf(checks, NO_TROUBLE, from, NOON.getTime())))
  }
}
