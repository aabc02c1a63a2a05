import type { CheckRecord } from '../src/core/history/check-chunk.ts'
import { encodeHistogram } from '../src/core/history/histogram.ts'
import { DAY_MS, HOUR_MS, startOfDay, startOfHour } from '../src/core/history/history-span.ts'
import { addCheck, emptyRollUp, mergeRollUp, type RollUp } from '../src/core/history/roll-up.ts'
import { type Database, inTransaction } from '../src/postgres/database.ts'
import { packChunk, replaceChunks } from '../src/store/history/check-chunks.ts'
import { writeConverted, writeHoursUntil } from '../src/store/history/history-progress.ts'
import { createPartition } from '../src/store/history/partitions.ts'
import { insertChecks } from '../src/store/monitors/recording.ts'
import type { Vault } from '../src/store/sealing/vault.ts'
import { realisticDay } from '../test/support/history/checks.ts'
import { seedMonitors } from './support/seed.ts'

/** One monitor in so many was paused three days ago: its newest checks are compacted. */
const ONE_PAUSED_IN = 7
/** Days that are still rows. */
const NEWEST_DAYS = 2

export type History = {
  now: Date
  monitorIds: number[]
  pausedIds: number[]
  checksInRows: number
  checksInChunks: number
}

type Template = { id: number; paused: boolean; checks: CheckRecord[]; hours: RollUp[]; day: RollUp }

/** Writes what so many days of one check a minute leave behind: every monitor has its own day, again and again. */
export async function generateHistory(
  { db, vault }: { db: Database; vault: Vault },
  teamId: number,
  monitors: number,
  days: number,
  onDay: (done: number) => void,
): Promise<History> {
  const now = new Date()
  const today = startOfDay(now)
  const seeded = await seedMonitors({ db, vault }, teamId, monitors, () => ({}))
  const templates = seeded.map(({ id }, index) => createTemplate(id, index % ONE_PAUSED_IN === 0))
  let [checksInRows, checksInChunks] = [0, 0]
  for (let done = 0; done < days; done++) {
    onDay(done)
    const day = new Date(today.getTime() - (days - 1 - done) * DAY_MS)
    const recent = done >= days - NEWEST_DAYS
    const checked = recent ? templates.filter(({ paused }) => !paused) : templates
    for (const table of [recent ? 'checks' : 'check_chunks', 'check_hours']) {
      await db.pool.query(createPartition(table, day))
    }
    if (recent) checksInRows += await writeRows(db, checked, day, now)
    else checksInChunks += await writeChunks(db, checked, day)
    await writeRollUps(db, checked, day, startOfHour(now))
  }
  await inTransaction(db.pool, async (client) => {
    await writeHoursUntil(client, startOfHour(now))
    await writeConverted(client, null)
  })
  return {
    now,
    monitorIds: templates.filter(({ paused }) => !paused).map(({ id }) => id),
    pausedIds: templates.filter(({ paused }) => paused).map(({ id }) => id),
    checksInRows,
    checksInChunks,
  }
}

function createTemplate(id: number, paused: boolean): Template {
  const checks = realisticDay(id, new Date(0))
  const hours = Array.from({ length: 24 }, emptyRollUp)
  for (const check of checks) addCheck(hours[check.checkedAt.getUTCHours()] ?? emptyRollUp(), check)
  const day = emptyRollUp()
  for (const hour of hours) mergeRollUp(day, hour)
  return { id, paused, checks, hours, day }
}

function shifted(check: CheckRecord, day: Date): CheckRecord {
  return { ...check, checkedAt: new Date(check.checkedAt.getTime() + day.getTime()) }
}

/** In the order in which they would have come. */
async function writeRows(db: Database, templates: Template[], day: Date, now: Date): Promise<number> {
  let written = 0
  for (let minute = 0; minute < 1_440; minute += 10) {
    const rows = templates
      .flatMap(({ id, checks }) =>
        checks.slice(minute, minute + 10).map((check) => {
          const { checkedAt, region, ...result } = shifted(check, day)
          return { monitorId: id, checkedAt, region, result: { ...result, certificate: null } }
        }),
      )
      .filter(({ checkedAt }) => checkedAt < now)
      .sort((a, b) => a.checkedAt.getTime() - b.checkedAt.getTime())
    if (rows.length > 0) await inTransaction(db.pool, (client) => insertChecks(client, rows))
    written += rows.length
  }
  return written
}

async function writeChunks(db: Database, templates: Template[], day: Date): Promise<number> {
  const chunks = await Promise.all(
    templates.map(async ({ id, checks }) => ({
      monitorId: id,
      segment: 0,
      checks: checks.length,
      content: await packChunk(checks.map((check) => shifted(check, day))),
    })),
  )
  const ids = templates.map(({ id }) => id)
  await inTransaction(db.pool, async (client) => {
    await replaceChunks(client, day, 0, ids, chunks)
    await client.query('INSERT INTO compacted_days (day, generations) VALUES ($1, 1)', [day])
  })
  return chunks.reduce((sum, { checks }) => sum + checks, 0)
}

async function writeRollUps(db: Database, templates: Template[], day: Date, until: Date): Promise<void> {
  const hours = templates.flatMap(({ id, hours }) =>
    hours.map((rollUp, hour) => ({ id, at: new Date(day.getTime() + hour * HOUR_MS), rollUp })),
  )
  await insertRollUps(
    db,
    'hour',
    hours.filter(({ at }) => at < until),
  )
  if (day.getTime() + DAY_MS > until.getTime()) return
  await insertRollUps(
    db,
    'day',
    templates.map(({ id, day: rollUp }) => ({ id, at: day, rollUp })),
  )
}

async function insertRollUps(
  db: Database,
  unit: 'hour' | 'day',
  rows: { id: number; at: Date; rollUp: RollUp }[],
): Promise<void> {
  await db.pool.query(
    `INSERT INTO check_${unit}s (monitor_id, ${unit}, region, up, down, response_time_sum_ms, histogram,
                                 up_ms, degraded_ms, down_ms, maintenance_ms)
     SELECT id, at, 'lon', up, down, sum_ms, histogram, up * 60000, 0, down * 60000, 0
     FROM unnest($1::int[], $2::timestamptz[], $3::int[], $4::int[], $5::bigint[], $6::bytea[])
       AS r (id, at, up, down, sum_ms, histogram)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ at }) => at),
      rows.map(({ rollUp }) => rollUp.up),
      rows.map(({ rollUp }) => rollUp.down),
      rows.map(({ rollUp }) => rollUp.responseTimeSumMs),
      rows.map(({ rollUp }) => encodeHistogram(rollUp.histogram)),
    ],
  )
}
