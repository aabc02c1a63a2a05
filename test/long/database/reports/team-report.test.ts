// npm test leaves this out: it compares reports in every zone with the one rule, over random histories (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../../src/core/history/history-span.ts'
import { type StateTimes, stateTimes, type TimeSpan } from '../../../../src/core/history/uptime.ts'
import { SUBJECT_KINDS, type SubjectKind } from '../../../../src/core/maintenance/window.ts'
import type { DayRange } from '../../../../src/core/reports/calendar-days.ts'
import { spanOf } from '../../../../src/core/reports/range.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import { createPartition } from '../../../../src/store/history/partitions.ts'
import { readWatchedTime } from '../../../../src/store/history/watched-time.ts'
import { readTeamReport } from '../../../../src/store/reports/team-report.ts'
import { readTimesOfSpans } from '../../../../src/store/reports/times.ts'
import { readWatchedServers } from '../../../../src/store/servers/watched-time.ts'
import { readWatchedSites } from '../../../../src/store/sites/watched-time.ts'
import { keepSamples } from '../../../support/history/samples.ts'
import { openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { addContacts, addDeliveries } from '../../../support/records/alerting.ts'
import { addChecks, addIncident } from '../../../support/records/history.ts'
import { addMonitor } from '../../../support/records/monitors.ts'
import { addRows, changeRows } from '../../../support/records/rows.ts'
import { addServer } from '../../../support/records/servers.ts'
import { addSite } from '../../../support/records/sites.ts'

const DAY = new Date('2027-03-28T00:00:00Z')
const HOURS = 75.5
const NOW = at(HOURS)
const MINUTES = Array.from({ length: HOURS * 12 }, (_, index) => index / 12)
const EVERYTHING = { all_subjects: true, monitor_ids: [], server_ids: [], site_ids: [], tags: [] }
const RANGE: DayRange = { from: '2027-03-28', to: '2027-03-30' }
/** One begins its days at full hours of UTC that are no days of UTC, one between them. */
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata']

function at(hour: number): Date {
  return new Date(DAY.getTime() + hour * HOUR_MS)
}

/** A monitor, a server and a site that were down from 30 h to 32.5 h, and a second time from 50 h on for 6 minutes. */
async function keepTeam(db: Database) {
  for (let hour = 0; hour < HOURS + 24; hour += 24) {
    for (const table of ['checks', 'check_hours'] as const)
      await db.pool.query(createPartition(table, at(hour)))
  }
  const created_at = at(-1)
  const { id: monitor, teamId } = await addMonitor(db, { created_at, check_interval_minutes: 5 })
  const { id: server } = await addServer(db, { team_id: teamId, created_at })
  const { id: site } = await addSite(db, { team_id: teamId, created_at })
  const down = (hour: number) => (hour >= 30 && hour < 32.5) || (hour >= 50 && hour < 50.1)
  await addChecks(
    db,
    MINUTES.map((hour) => ({
      monitor_id: monitor,
      checked_at: at(hour),
      status: down(hour) ? ('down' as const) : ('up' as const),
      response_time_ms: hour < 24 ? 100 : 200,
    })),
  )
  await keepSamples(
    db,
    server,
    Array.from({ length: HOURS * 60 }, (_, minute) => ({ at: at(minute / 60), sample: { cpu_percent: 1 } })),
  )
  const changes = [
    [0, 'up'],
    [30, 'down'],
    [32.5, 'up'],
    [50, 'down'],
    [50.1, 'up'],
  ] as const
  const rows = changes.map(([hour, status]) => ({ at: at(hour), status }))
  await addRows(
    db,
    'subject_status_changes',
    rows.map((row) => ({ kind: 'server' as const, subject_id: server, ...row })),
  )
  await addRows(
    db,
    'subject_status_changes',
    rows.map((row) => ({ kind: 'site' as const, subject_id: site, ...row })),
  )
  await db.pool.query('UPDATE site_areas SET looked_at = $1', [NOW])
  const [contact] = await addContacts(db, [{ team_id: teamId }])
  for (const [from, to] of [
    [30, 32.5],
    [50, 50.1],
  ] as const) {
    const span = { team_id: teamId, started_at: at(from), resolved_at: at(to) }
    const incident_id = await addIncident(db, { ...span, monitor_id: monitor })
    const ofServer = await addIncident(db, { ...span, server_id: server, about: 'silent', cause: 'silent' })
    const ofSite = await addIncident(db, { ...span, site_id: site, about: 'home_page', cause: 'HTTP 503' })
    const sent = { team_id: teamId, contact_id: contact as number, state: 'sent' as const }
    const about = [
      ['monitor', monitor, incident_id, 40_000],
      ['server', server, ofServer, 20_000],
      ['site', site, ofSite, 60_000],
    ] as const
    const told = about.map(([kind, subject_id, team_incident_id, ms]) => ({
      ...{ ...sent, kind, subject_id, team_incident_id, event: `${kind}.down` as const },
      finished_at: new Date(at(from).getTime() + ms),
    }))
    await addDeliveries(db, told)
  }
  return { teamId, ids: { monitor, server, site } }
}

test('times of a report are those of the one rule, in every zone, before and after hours and days are rolled up', async (t) => {
  const db = await openWithoutDays(t)
  const { ids } = await keepTeam(db)
  const spans = ZONES.flatMap((zone) => [
    spanOf(RANGE, zone),
    spanOf({ from: '2027-03-29', to: '2027-03-29' }, zone),
  ])
  const expected = await expectedTimes(db, ids, spans)
  for (const rolledUpAt of [null, 13.5, 49, HOURS]) {
    if (rolledUpAt !== null) await tend(db, at(rolledUpAt))
    for (const kind of SUBJECT_KINDS) {
      for (const [index, span] of spans.entries()) {
        const times = (await readTimesOfSpans(db, kind, [ids[kind]], [span], NOW)).get(ids[kind])?.[0]
        assert.deepEqual(
          { ...times, unknownMs: undefined },
          expected[kind][index],
          `${kind} ${index} at ${rolledUpAt}`,
        )
      }
    }
  }
})

test('bars of a report add up to its whole', async (t) => {
  const db = await openWithoutDays(t)
  const { ids } = await keepTeam(db)
  await tend(db, at(60))
  for (const kind of SUBJECT_KINDS) {
    const days = ['2027-03-28', '2027-03-29', '2027-03-30'].map((day) =>
      spanOf({ from: day, to: day }, 'Europe/Berlin'),
    )
    const [whole] =
      (await readTimesOfSpans(db, kind, [ids[kind]], [spanOf(RANGE, 'Europe/Berlin')], NOW)).get(ids[kind]) ??
      []
    const parts = (await readTimesOfSpans(db, kind, [ids[kind]], days, NOW)).get(ids[kind]) ?? []
    assert.equal(
      parts.reduce((sum, { upMs }) => sum + upMs, 0),
      whole?.upMs,
      kind,
    )
    assert.equal(
      parts.reduce((sum, { downMs }) => sum + downMs, 0),
      whole?.downMs,
      kind,
    )
    assert.ok(whole && whole.downMs > 0)
  }
})

test('a report counts incidents with what of them lies in its range, and the time to notice and to recover', async (t) => {
  const db = await openWithoutDays(t)
  const { teamId } = await keepTeam(db)
  await tend(db, NOW)
  const wish = { teamId, subjects: EVERYTHING, timeZone: 'UTC', lines: 10, now: NOW }
  const report = await readTeamReport(db, { ...wish, range: RANGE })
  assert.equal(report.subjects, 3)
  assert.equal(report.is_running, false)
  assert.equal(report.bars.length, 3)
  const byKind = new Map(report.lines.map((line) => [line.kind, line]))
  for (const [kind, notice_seconds] of [
    ['monitor', 40],
    ['server', 20],
    ['site', 60],
  ] as const) {
    const line = byKind.get(kind)
    assert.deepEqual(
      {
        incidents: line?.incidents,
        incident_seconds: line?.incident_seconds,
        longest_seconds: line?.longest_seconds,
        notice_seconds: line?.notice_seconds,
        recover_seconds: line?.recover_seconds,
      },
      {
        incidents: 2,
        incident_seconds: 9_360,
        longest_seconds: 9_000,
        notice_seconds,
        recover_seconds: 4_680,
      },
      kind,
    )
    assert.ok(line && line.uptime !== null && line.uptime < 1 && line.uptime > 0.95, kind)
    assert.equal(line.bars[0], 1)
    assert.ok((line.bars[1] ?? 1) < 1)
  }
  assert.equal(report.totals.incidents, 6)
  // Two days of 200 ms, and one of 100: the median is in the bucket of 200.
  const { p50_ms: median } = byKind.get('monitor') ?? {}
  assert.ok(median && median > 180 && median <= 200, String(median))
  assert.equal(byKind.get('server')?.p50_ms, null)
  // The day begins at 07:00 UTC there: the first incident had begun an hour before.
  const part = await readTeamReport(db, {
    ...wish,
    range: { from: '2027-03-29', to: '2027-03-29' },
    timeZone: 'America/Los_Angeles',
  })
  const monitor = part.lines.find(({ kind }) => kind === 'monitor')
  assert.equal(monitor?.incidents, 2)
  assert.equal(monitor?.incident_seconds, 5_400 + 360)
  assert.equal(monitor?.longest_seconds, 5_400)
  assert.equal(monitor?.notice_seconds, 40)
})

test('a report has the lines asked for, the lowest uptime first, and sums up all subjects', async (t) => {
  const db = await openWithoutDays(t)
  const { teamId, ids } = await keepTeam(db)
  const others = await addMonitor(db, { team_id: teamId, name: 'New', created_at: at(74) })
  const wish = { teamId, range: RANGE, timeZone: 'UTC', now: NOW }
  const report = await readTeamReport(db, { ...wish, subjects: EVERYTHING, lines: 2 })
  assert.equal(report.lines.length, 2)
  assert.equal(report.subjects, 4)
  assert.equal(report.totals.incidents, 6)
  const chosen = {
    all_subjects: false,
    monitor_ids: [ids.monitor, others.id],
    server_ids: [],
    site_ids: [],
    tags: [],
  }
  const some = await readTeamReport(db, { ...wish, subjects: chosen, lines: 10 })
  assert.deepEqual(
    some.lines.map(({ id, uptime }) => [id, uptime === null]),
    [
      [ids.monitor, false],
      [others.id, true],
    ],
  )
  const stranger = await addMonitor(db, { tags: ['env:prod'] })
  const foreign = await readTeamReport(db, { ...wish, teamId: stranger.teamId, subjects: chosen, lines: 10 })
  assert.deepEqual(foreign.lines, [])
})

test('a report by tags is about what carries all of them when it is made', async (t) => {
  const db = await openWithoutDays(t)
  const { id: monitor, teamId } = await addMonitor(db, { name: 'Shop', tags: ['env:prod', 'team:web'] })
  await addMonitor(db, { team_id: teamId, name: 'Test', tags: ['env:test'] })
  await addMonitor(db, { team_id: teamId, name: 'Gone', tags: ['env:prod'], deleted_at: NOW })
  await addMonitor(db, { name: 'Theirs', tags: ['env:prod'] })
  const { id: server } = await addServer(db, { team_id: teamId, name: 'db1', tags: ['env:prod'] })
  const namesOf = async (tags: string[]) => {
    const subjects = { ...EVERYTHING, all_subjects: false, tags }
    const wish = { teamId, subjects, range: RANGE, timeZone: 'UTC', now: NOW, lines: 10 }
    const { lines, subjects: count } = await readTeamReport(db, wish)
    assert.equal(count, lines.length)
    return lines.map(({ name }) => name).sort()
  }
  assert.deepEqual(await namesOf(['env:prod']), ['Shop', 'db1'])
  assert.deepEqual(await namesOf(['env', 'team:web']), ['Shop'])
  assert.deepEqual(await namesOf(['env:nothing']), [])
  await changeRows(db, 'monitors', { id: monitor }, { tags: [] })
  await changeRows(db, 'servers', { id: server }, { tags: ['env:prod', 'env:test'] })
  assert.deepEqual(await namesOf(['env:prod']), ['db1'])
})

/** The rule itself, over all that is known at once. */
async function expectedTimes(db: Database, ids: Record<SubjectKind, number>, spans: TimeSpan[]) {
  const range = { from: at(-24), to: NOW }
  const watched = {
    monitor: await readWatchedTime(db.pool, db.query, [ids.monitor], range),
    server: await readWatchedServers(db.pool, [ids.server], range),
    site: await readWatchedSites(db.pool, [ids.site], range),
  }
  const timesOf = (kind: SubjectKind) =>
    spans.map((span) => {
      const clipped = { fromMs: span.fromMs, toMs: Math.min(span.toMs, NOW.getTime()) }
      const one = watched[kind].get(ids[kind])
      return { ...(stateTimes(one as NonNullable<typeof one>, clipped) as StateTimes), unknownMs: undefined }
    })
  return { monitor: timesOf('monitor'), server: timesOf('server'), site: timesOf('site') }
}
