// npm test leaves this out: it keeps days under windows in each of the three forms of history (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownMs, noTime } from '../../../../src/core/history/uptime.ts'
import type { MaintenanceWindow } from '../../../../src/core/maintenance/window.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import { readTimesOfWindows } from '../../../../src/store/history/uptimes.ts'
import { markWindowDeleted, updateWindow, windowsChanged } from '../../../../src/store/maintenance/windows.ts'
import { keepMixed, upAt } from '../../../support/history/checks.ts'
import { openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { addWindow, keepSpan } from '../../../support/maintenance/stored-windows.ts'
import { oneOff, recurring, switchWindow } from '../../../support/maintenance/windows.ts'
import { addIncident } from '../../../support/records/history.ts'
import { addMonitor, type NewMonitor } from '../../../support/records/monitors.ts'
import { addRow, changeRows } from '../../../support/records/rows.ts'

/** A Saturday. */
const DAY = '2027-03-20'
const HOUR_MS = 3_600_000

/** `10:30` of the day, `21 01:00` of the next. */
function at(time: string): Date {
  const [day, clock] = time.includes(' ') ? time.split(' ') : [DAY.slice(-2), time]
  return new Date(`2027-03-${day}T${clock}Z`)
}

function between(from: string, to: string): [Date, Date] {
  return [at(from), at(to)]
}

type Kept = { of: MaintenanceWindow; kept?: [Date, Date][]; since?: Date; deleted?: Date; time_zone?: string }
type Case = {
  windows?: Kept[]
  monitor?: NewMonitor
  /** Checked at each full hour, but not in these. */
  unchecked?: [Date, Date][]
  /** Checks by hand, one a second from then on. */
  checksNow?: { from: Date; times: number }
  incident?: [Date, Date]
  pause?: [Date, Date]
  /** Hours of the day in each state, as counted by hand. */
  hours: { up?: number; down?: number; maintenance?: number }
}

const TEN_TO_TWO = oneOff('2027-03-20T10:00Z', '2027-03-20T14:00Z')
const ELEVEN_TO_ONE = oneOff('2027-03-20T11:00Z', '2027-03-20T13:00Z')
const AT_FOUR_IN_BERLIN = recurring({
  local_start: '2027-01-01T04:00',
  rule: 'FREQ=DAILY',
  duration_minutes: 60,
})
const OF_NOBODY = { ...TEN_TO_TWO, all_subjects: false }

const CASES: Record<string, Case> = {
  'no window': { hours: { up: 24 } },
  'a window': { windows: [{ of: TEN_TO_TWO }], hours: { up: 20, maintenance: 4 } },
  'a window for others': { windows: [{ of: OF_NOBODY }], hours: { up: 24 } },
  'windows that overlap, one of them in the time of Berlin': {
    windows: [{ of: AT_FOUR_IN_BERLIN }, { of: oneOff('2027-03-20T03:30Z', '2027-03-20T05:00Z') }],
    hours: { up: 22, maintenance: 2 },
  },
  'a window over midnight': {
    windows: [{ of: oneOff('2027-03-20T23:00Z', '2027-03-21T01:00Z') }],
    hours: { up: 23, maintenance: 1 },
  },
  'an incident over a window': {
    windows: [{ of: ELEVEN_TO_ONE }],
    incident: between('10:00', '12:00'),
    hours: { up: 21, down: 1, maintenance: 2 },
  },
  'an incident over midnight, and a window in it': {
    windows: [{ of: oneOff('2027-03-20T23:00Z', '2027-03-21T01:00Z') }],
    incident: between('22:00', '21 02:00'),
    hours: { up: 22, down: 1, maintenance: 1 },
  },
  '"check now" pressed 100 times during an incident': {
    windows: [{ of: ELEVEN_TO_ONE }],
    incident: between('10:00', '11:00'),
    checksNow: { from: at('10:20'), times: 100 },
    hours: { up: 21, down: 1, maintenance: 2 },
  },
  'a pause over a window': {
    windows: [{ of: ELEVEN_TO_ONE }],
    pause: between('10:00', '12:00'),
    unchecked: [between('10:00', '12:00')],
    hours: { up: 21, maintenance: 1 },
  },
  'our own outage over a window': {
    windows: [{ of: ELEVEN_TO_ONE }],
    unchecked: [between('10:00', '12:30')],
    hours: { up: 21 + 30 / 3_600, maintenance: 2 },
  },
  'created during a window': {
    windows: [{ of: TEN_TO_TWO }],
    monitor: { created_at: at('12:30') },
    unchecked: [between('00:00', '12:30')],
    hours: { up: 10, maintenance: 1.5 },
  },
  'deleted during a window': {
    windows: [{ of: TEN_TO_TWO }],
    monitor: { deleted_at: at('12:30') },
    unchecked: [between('12:30', '23:30')],
    hours: { up: 10, maintenance: 2.5 },
  },
  'a window that was ended early': {
    windows: [{ of: TEN_TO_TWO, kept: [between('10:00', '11:00')] }],
    hours: { up: 23, maintenance: 1 },
  },
  'a window that was called off': {
    windows: [{ of: TEN_TO_TWO, kept: [between('10:00', '10:00')] }],
    hours: { up: 24 },
  },
  'a window that was prolonged': {
    windows: [{ of: ELEVEN_TO_ONE, kept: [between('11:00', '15:00')] }],
    hours: { up: 20, maintenance: 4 },
  },
  'a window that was made while it would have run': {
    windows: [{ of: TEN_TO_TWO, since: at('13:15') }],
    hours: { up: 23.25, maintenance: 0.75 },
  },
  'a window that was deleted while it ran': {
    windows: [{ of: TEN_TO_TWO, kept: [between('10:00', '12:45')], deleted: at('12:45') }],
    hours: { up: 21.25, maintenance: 2.75 },
  },
  'turns of a switch': {
    windows: [{ of: switchWindow(), kept: [between('01:00', '02:00'), between('13:00', '13:30')] }],
    hours: { up: 22.5, maintenance: 1.5 },
  },
  'a window in a zone that this machine does not know': {
    windows: [{ of: AT_FOUR_IN_BERLIN, time_zone: 'Mars/Olympus' }, { of: ELEVEN_TO_ONE }],
    hours: { up: 22, maintenance: 2 },
  },
}

test('a day under windows is what was counted by hand, from checks, from hours and from its roll-up', async (t) => {
  const db = await openWithoutDays(t)
  const ids = new Map<string, number>()
  for (const [name, one] of Object.entries(CASES)) ids.set(name, await keepCase(db, one))
  const expected = Object.fromEntries(
    Object.entries(CASES).map(([name, { hours }]) => [name, { up: 0, down: 0, maintenance: 0, ...hours }]),
  )
  const read = async () => {
    const times = await readTimesOfWindows(db, [...ids.values()], at('21 00:00'), ['24h'])
    return Object.fromEntries([...ids].map(([name, id]) => [name, inHours(times['24h'].get(id) ?? noTime())]))
  }
  assert.deepEqual(await read(), expected, 'from checks alone')
  await tend(db, at('12:20'))
  assert.deepEqual(await read(), expected, 'from hours, and the rest of the day from checks')
  await tend(db, at('21 02:00'))
  const days = await readDays(db)
  assert.deepEqual(
    Object.fromEntries([...ids].map(([name, id]) => [name, days.get(`${id} ${DAY}`)])),
    expected,
  )
})

test('a closed day stays as it is when its windows are changed or deleted later', async (t) => {
  const db = await openWithoutDays(t)
  const window = oneOff('2027-03-20T22:00Z', '2027-03-21T03:00Z')
  const { id, teamId } = await addMonitor(db, { check_interval_minutes: 60 })
  await keepMixed(
    db,
    hoursBetween(at('00:00'), at('23 00:00')).map((checkedAt) => ({ id, check: upAt(checkedAt) })),
  )
  const windowId = await addWindow(db, teamId, window)
  await tend(db, at('21 02:20'))
  const closed = { up: 22, down: 0, maintenance: 2 }
  assert.deepEqual(await readDays(db), new Map([[`${id} ${DAY}`, closed]]))

  const other = oneOff('2027-03-20T00:00Z', '2027-03-21T12:00Z')
  await keepSpan(db, teamId, windowId, [window.starts_at, at('21 02:30')], { endedBy: 'change' })
  await updateWindow(db.query, teamId, windowId, { ...other, starts_at: at('21 10:00') }, at('21 02:30'))
  await windowsChanged(db.query, teamId)
  await tend(db, at('22 00:20'))
  const days = new Map([
    [`${id} ${DAY}`, closed],
    [`${id} 2027-03-21`, { up: 19.5, down: 0, maintenance: 4.5 }],
  ])
  assert.deepEqual(await readDays(db), days)

  await markWindowDeleted(db.query, teamId, windowId, at('22 00:30'))
  await db.pool.query('DELETE FROM maintenance_occurrences')
  await windowsChanged(db.query, teamId)
  await tend(db, at('23 00:20'))
  days.set(`${id} 2027-03-22`, { up: 24, down: 0, maintenance: 0 })
  assert.deepEqual(await readDays(db), days)
})

/** A monitor of a team of its own. */
async function keepCase(db: Database, one: Case): Promise<number> {
  const { id, teamId } = await addMonitor(db, { check_interval_minutes: 60, ...one.monitor })
  const isChecked = (hour: Date) => !one.unchecked?.some(([from, to]) => from <= hour && hour < to)
  const { from, times } = one.checksNow ?? { from: at('00:00'), times: 0 }
  const byHand = Array.from({ length: times }, (_, second) => new Date(from.getTime() + second * 1_000))
  const checks = [...hoursBetween(at('00:00'), at('21 00:00')).filter(isChecked), ...byHand]
  await keepMixed(
    db,
    checks.map((checkedAt) => ({ id, check: upAt(checkedAt) })),
  )
  for (const { of, kept = [], since, deleted, time_zone } of one.windows ?? []) {
    const windowId = await addWindow(db, teamId, of, since)
    for (const span of kept) await keepSpan(db, teamId, windowId, span, { endedBy: 'person' })
    if (deleted) await markWindowDeleted(db.query, teamId, windowId, deleted)
    if (time_zone) await changeRows(db, 'maintenance_windows', { id: windowId }, { time_zone })
  }
  if (one.incident) {
    const [started_at, resolved_at] = one.incident
    await addIncident(db, { team_id: teamId, monitor_id: id, started_at, resolved_at })
  }
  if (one.pause) {
    const [paused_at, resumed_at] = one.pause
    await addRow(db, 'monitor_pauses', { monitor_id: id, paused_at, resumed_at })
  }
  return id
}

function hoursBetween(from: Date, to: Date): Date[] {
  const hours = (to.getTime() - from.getTime()) / HOUR_MS
  return Array.from({ length: hours }, (_, hour) => new Date(from.getTime() + hour * HOUR_MS))
}

/** Hours in each state, by monitor and day. */
async function readDays(db: Database): Promise<Map<string, ReturnType<typeof inHours>>> {
  const { rows } = await db.pool.query(
    `SELECT monitor_id || ' ' || (day AT TIME ZONE 'UTC')::date AS key, up_ms AS "upMs", down_ms AS "downMs",
       degraded_ms AS "degradedMs", maintenance_ms AS "maintenanceMs" FROM check_days ORDER BY day`,
  )
  return new Map(rows.map(({ key, ...times }) => [key, inHours(times)]))
}

function inHours(times: Parameters<typeof knownMs>[0]) {
  const { upMs, downMs, maintenanceMs } = times
  assert.equal(upMs + downMs + maintenanceMs, knownMs(times))
  return { up: upMs / HOUR_MS, down: downMs / HOUR_MS, maintenance: maintenanceMs / HOUR_MS }
}
