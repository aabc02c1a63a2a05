import { encodeHistogram } from '../../src/core/history/histogram.ts'
import { DAY_MS, HOUR_MS, startOfDay, startOfHour } from '../../src/core/history/history-span.ts'
import { addCheck, emptyRollUp, type RollUp } from '../../src/core/history/roll-up.ts'
import { type Database, inTransaction } from '../../src/postgres/database.ts'
import { insertContact } from '../../src/store/alerting/contacts.ts'
import { packChunk, replaceChunks } from '../../src/store/history/check-chunks.ts'
import { writeConverted, writeHoursUntil } from '../../src/store/history/history-progress.ts'
import { createPartition } from '../../src/store/history/partitions.ts'
import type { Vault } from '../../src/store/sealing/vault.ts'
import { realisticDay } from '../../test/support/history/checks.ts'
import { seedMonitors } from './seed.ts'

const DAYS = 90
/** Checks of all monitors go back so far; those of the monitors that are opened, as far as there are any. */
const RAW_HOURS_OF_ALL = 6
const RAW_DAYS = 2
/** The newest checks are not rolled up yet: those of the current hour, and on its first half, of the one before. */
const ROLL_UP_DELAY_MS = HOUR_MS / 2
const INCIDENTS_EACH = 10
const CONTACTS = 20
const BOTH = { notify_on_down: true, notify_on_recovery: true }
const DELIVERIES_EACH = 2_000

/**
 * A large team as months of one check a minute leave it: one monitor in 50 is down, and every monitor has roll-ups of
 * each hour and day, written in the order of time. Returns the monitors that are to be opened: their checks are all
 * there, too.
 */
export async function fillTeam(
  { db, vault }: { db: Database; vault: Vault },
  teamId: number,
  monitors: number,
  opened: number,
  onStep: (what: string) => void,
): Promise<number[]> {
  const now = new Date()
  onStep(`creating ${monitors} monitors`)
  const settings = { url: 'http://127.0.0.1:9/', check_interval_minutes: 1 as const }
  const ids = (await seedMonitors({ db, vault }, teamId, monitors, () => settings)).map(({ id }) => id)
  const open = ids.slice(0, opened)
  for (let day = 0; day <= DAYS; day++) await createPartitions(db, new Date(now.getTime() - day * DAY_MS))
  const hoursUntil = startOfHour(new Date(now.getTime() - ROLL_UP_DELAY_MS))
  onStep('roll-ups')
  await writeRollUps(db, ids, now, hoursUntil)
  onStep('checks')
  const allFrom = new Date(startOfHour(now).getTime() - RAW_HOURS_OF_ALL * HOUR_MS)
  await writeChecks(db, open, startOfDay(now, 1 - RAW_DAYS), allFrom)
  await writeChecks(db, ids, allFrom, now)
  await writeChunks(db, open, now)
  await inTransaction(db.pool, async (client) => {
    await writeHoursUntil(client, hoursUntil)
    await writeConverted(client, null)
  })
  onStep('incidents and alerts')
  await writeIncidents(db, teamId, ids)
  await writeContacts({ db, vault }, teamId)
  await writeDeliveries(db, teamId)
  onStep('settling the database')
  await withoutTimeout(db, 'VACUUM (ANALYZE)')
  await withoutTimeout(db, 'CHECKPOINT')
  return open
}

async function createPartitions(db: Database, at: Date): Promise<void> {
  const recent = at >= startOfDay(new Date(), 1 - RAW_DAYS)
  for (const table of [...(recent ? ['checks'] : ['check_chunks']), 'check_hours']) {
    await db.pool.query(createPartition(table, at))
  }
}

async function writeRollUps(db: Database, ids: number[], now: Date, hoursUntil: Date): Promise<void> {
  const day = realisticDay(1, startOfDay(now))
  const write = (unit: 'hour' | 'day', from: Date, until: Date, one: RollUp) =>
    db.pool.query(
      `INSERT INTO check_${unit}s (monitor_id, ${unit}, region, up, down, response_time_sum_ms, histogram,
                                   up_ms, degraded_ms, down_ms, maintenance_ms)
       SELECT id, at, 'lon', $4::int, $5::int, $6, $7, $4::int * 60000, 0, $5::int * 60000, 0
       FROM generate_series($2::timestamptz, $3::timestamptz - interval '1 second', '1 ${unit}') AS at,
            unnest($1::int[]) AS id`,
      [ids, from, until, one.up, one.down, one.responseTimeSumMs, encodeHistogram(one.histogram)],
    )
  await write('day', startOfDay(now, -DAYS), startOfDay(now), sumOf(day))
  // Ten million rows: their index is built at once.
  await db.pool.query('ALTER TABLE check_hours DROP CONSTRAINT check_hours_pkey')
  const hour = sumOf(day.slice(0, 60))
  for (let back = DAYS; back >= 0; back--) {
    const until = new Date(Math.min(startOfDay(now, 1 - back).getTime(), hoursUntil.getTime()))
    await write('hour', startOfDay(now, -back), until, hour)
  }
  await withoutTimeout(db, 'ALTER TABLE check_hours ADD PRIMARY KEY (monitor_id, hour, region)')
}

/** Runs a statement that may take longer than a service lets one. */
async function withoutTimeout(db: Database, statement: string): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query(statement)
  } finally {
    client.release(true)
  }
}

function sumOf(checks: ReturnType<typeof realisticDay>): RollUp {
  const sum = emptyRollUp()
  for (const check of checks) addCheck(sum, check)
  return sum
}

async function writeChecks(db: Database, ids: number[], from: Date, until: Date): Promise<void> {
  await db.pool.query(
    `INSERT INTO checks (checked_at, monitor_id, response_time_ms, http_status_code, status, region, phases)
     SELECT at, id, 60 + id % 97, 200, 'up', 'lon', '\\x0208123205'
     FROM generate_series($2::timestamptz, $3::timestamptz - interval '1 second', '1 minute') AS at,
          unnest($1::int[]) AS id`,
    [ids, from, until],
  )
}

async function writeChunks(db: Database, ids: number[], now: Date): Promise<void> {
  for (let back = RAW_DAYS; back < DAYS; back++) {
    const day = startOfDay(now, -back)
    const checks = realisticDay(back, day)
    const content = await packChunk(checks)
    const chunks = ids.map((monitorId) => ({ monitorId, segment: 0, checks: checks.length, content }))
    await inTransaction(db.pool, async (client) => {
      await replaceChunks(client, day, 0, ids, chunks)
      await client.query('INSERT INTO compacted_days (day, generations) VALUES ($1, 1)', [day])
    })
  }
}

async function writeIncidents(db: Database, teamId: number, ids: number[]): Promise<void> {
  await db.pool.query(
    `INSERT INTO team_incidents (kind, team_id, subject_id, started_at, resolved_at, cause)
     SELECT 'monitor', $1, id, now() - n * interval '1 day', now() - n * interval '1 day' + interval '5 minutes', 'HTTP 503'
     FROM unnest($2::int[]) AS id, generate_series(1, ${INCIDENTS_EACH}) AS n`,
    [teamId, ids],
  )
  await db.pool.query(
    `WITH opened AS (
       INSERT INTO team_incidents (kind, team_id, subject_id, started_at, cause)
       SELECT 'monitor', $1, id, now() - id * interval '1 second', 'HTTP 503 (expected 200)' FROM unnest($2::int[]) AS id
       WHERE id % 50 = 0 RETURNING id, subject_id AS monitor_id, started_at
     ), states AS (
       UPDATE monitor_state SET status = 'up', last_checked_at = now() WHERE monitor_id = ANY($2) AND monitor_id % 50 <> 0
     )
     UPDATE monitor_state s
     SET status = 'down', status_since = o.started_at, open_incident_id = o.id, last_checked_at = now()
     FROM opened o WHERE s.monitor_id = o.monitor_id`,
    [teamId, ids],
  )
}

async function writeContacts({ db, vault }: { db: Database; vault: Vault }, teamId: number): Promise<void> {
  for (let number = 1; number <= CONTACTS; number++) {
    const config = { url: 'https://hooks.example.com/upbeat' }
    await insertContact(db.query, vault, teamId, {
      name: `Contact ${number}`,
      type: 'webhook',
      config,
      ...BOTH,
    })
  }
}

async function writeDeliveries(db: Database, teamId: number): Promise<void> {
  await db.pool.query(
    `WITH contact AS (
       SELECT id, name FROM contacts WHERE team_id = $1
     ), delivery AS (
       INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, event, alert, state, attempts)
       SELECT $1, id, name, 'webhook', 'monitor.down', '{}', CASE WHEN id % 4 = 0 THEN 'failed' ELSE 'sent' END, 1
       FROM contact, generate_series(1, ${DELIVERIES_EACH}) RETURNING id, state
     )
     INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, duration_ms, outcome, detail)
     SELECT id, 1, now(), 5, CASE state WHEN 'sent' THEN 'sent' ELSE 'rejected' END, 'HTTP 404' FROM delivery`,
    [teamId],
  )
}
