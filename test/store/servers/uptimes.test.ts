import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import { type StateTimes, stateTimes } from '../../../src/core/history/uptime.ts'
import { watchedByStatus } from '../../../src/core/history/watched-by-status.ts'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readServerDayTimes } from '../../../src/store/servers/uptimes.ts'
import { itAtLength } from '../../support/at-length.ts'
import { keepSamples } from '../../support/history/samples.ts'
import { openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { addIncident } from '../../support/records/history.ts'
import { addRow, addRows } from '../../support/records/rows.ts'
import { addServer } from '../../support/records/servers.ts'

const DAY = new Date('2027-03-28T00:00:00Z')
const NOW = at(75)
const SILENT_MS = 180_000

/** Hours since the first day began. */
const CHANGES: [hour: number, status: CheckStatus][] = [
  [1.25, 'up'],
  [5.5, 'degraded'],
  [7.1, 'up'],
  [10.05, 'down'],
  [12, 'up'],
  [26, 'pending'],
  [30.5, 'up'],
  [40, 'down'],
  [50.2, 'up'],
  [74.6, 'degraded'],
]
const SILENCES = [[10.05, 12]] as const
/** A report a minute in each of these. From 20 to 21 we were not there to hear any. */
const REPORTS = [
  [1.25, 10],
  [12, 20],
  [21, 26],
  [30.5, 75],
] as const

// npm test leaves this out: it keeps samples of a day, and rolls them up and removes them (seconds of a core).
itAtLength(
  'a day of a server has the same times before and after its hours are rolled up and its samples are gone',
  async (t) => {
    const db = await openWithoutDays(t)
    const { id } = await keepServer(db)
    const expected = [0, 1, 2, 3].map((day) => expectedTimes(day * 24, Math.min(75, day * 24 + 24)))
    assert.ok(expected[0] && expected[0].downMs > 0 && expected[0].unknownMs > HOUR_MS)
    assert.deepEqual(await timesOf(db, id), expected)
    for (const hours of [13.5, 49, 74.9]) {
      await tend(db, at(hours))
      assert.deepEqual(await timesOf(db, id), expected, `rolled up at ${hours}`)
    }
    const { rows } = await db.pool.query('SELECT min(at) AS first FROM server_samples')
    assert.deepEqual(rows, [{ first: at(48) }], 'days are chunks')
  },
)

test('a day that is closed keeps its times, whatever becomes of the server', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await keepServer(db)
  await tend(db, at(26))
  const before = (await timesOf(db, id))[0]
  await db.pool.query(
    `UPDATE servers SET thresholds = '{"silent": {"is_on": true, "warns_only": false, "seconds": 86400}}'`,
  )
  await db.pool.query('DELETE FROM subject_status_changes')
  await tend(db, at(40))
  assert.deepEqual((await timesOf(db, id))[0], before)
})

for (const isChosen of [false, true]) {
  test(`windows for ${isChosen ? 'the server' : 'everything'} are maintenance, from when the server was there`, async (t) => {
    const db = await openWithoutDays(t)
    const { id, teamId } = await addServer(db, { created_at: at(2) })
    await keepSamples(db, id, minutes(2, 4))
    await addRow(db, 'subject_status_changes', { kind: 'server', subject_id: id, at: at(2), status: 'up' })
    const window = oneOff(at(1).toISOString(), at(3).toISOString())
    await addWindow(db, teamId, isChosen ? { ...window, all_subjects: false, server_ids: [id] } : window)
    const read = async () => (await readServerDayTimes(db, [id], DAY, at(4))).get(id)?.get(DAY.getTime())
    const expected = { upMs: HOUR_MS, degradedMs: 0, downMs: 0, maintenanceMs: HOUR_MS }
    const { unknownMs: _unknown, ...before } = (await read()) as StateTimes
    assert.deepEqual(before, expected)
    await tend(db, at(4.3))
    assert.deepEqual(await read(), expected)
  })
}

async function keepServer(db: Database) {
  const server = await addServer(db)
  const { id, teamId } = server
  for (const [from, to] of REPORTS) await keepSamples(db, id, minutes(from, to))
  await addRows(
    db,
    'subject_status_changes',
    CHANGES.map(([hour, status]) => ({ kind: 'server', subject_id: id, at: at(hour), status })),
  )
  for (const [from, to] of SILENCES) {
    await addIncident(db, {
      team_id: teamId,
      server_id: id,
      about: 'silent',
      started_at: at(from),
      resolved_at: at(to),
      cause: 'no report for 3 min',
    })
  }
  return server
}

/** The times of each of the four days. */
async function timesOf(db: Database, id: number): Promise<(StateTimes | undefined)[]> {
  const days = (await readServerDayTimes(db, [id], DAY, NOW)).get(id)
  return [0, 1, 2, 3].map((day) => {
    const known = days?.get(DAY.getTime() + day * DAY_MS)
    if (!known) return undefined
    const { upMs, degradedMs, downMs, maintenanceMs } = known
    const lengthMs = Math.min(24, 75 - day * 24) * HOUR_MS
    const unknownMs = lengthMs - upMs - degradedMs - downMs - maintenanceMs
    return { upMs, degradedMs, downMs, maintenanceMs, unknownMs }
  })
}

/** The rule itself, over all that is known at once. */
function expectedTimes(from: number, to: number): StateTimes {
  const spans = (hours: readonly (readonly [number, number])[]) =>
    hours.map(([begin, end]) => ({ fromMs: at(begin).getTime(), toMs: at(end).getTime() }))
  const watched = watchedByStatus({
    changes: CHANGES.map(([hour, status]) => ({ atMs: at(hour).getTime(), status })),
    reports: spans(REPORTS).map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs - 60_000 })),
    silences: spans(SILENCES),
    maintenance: [],
    deletedMs: null,
    validMs: SILENT_MS,
  })
  return stateTimes(watched, { fromMs: at(from).getTime(), toMs: at(to).getTime() })
}

/** A report a minute from one hour up to another. */
function minutes(from: number, to: number) {
  const count = Math.round((to - from) * 60)
  return Array.from({ length: count }, (_, minute) => ({
    at: new Date(at(from).getTime() + minute * 60_000),
    sample: { cpu_percent: minute % 100 },
  }))
}

function at(hour: number): Date {
  return new Date(DAY.getTime() + Math.round(hour * 60) * 60_000)
}
