import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { encodeHistogram } from '../../../src/core/history/histogram.ts'
import { DAY_MS, HOUR_MS, startOfDay, startOfHour } from '../../../src/core/history/history-span.ts'
import { addCheck, emptyRollUp, mergeRollUp, type RollUp } from '../../../src/core/history/roll-up.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { writeConverted, writeHoursUntil } from '../../../src/store/history/history-progress.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { insertChecks } from '../../../src/store/monitors/recording.ts'
import { randomFrom } from '../history/checks.ts'
import { addIncident } from '../records/history.ts'
import { addRows } from '../records/rows.ts'
import { keepAnswer, keepDiagnosis } from './demo-answers.ts'
import { DEMO_MONITORS, type DemoMonitor } from './demo-monitors.ts'

const MINUTE_MS = 60_000
/** Days whose checks themselves are kept; of those before there are roll-ups. */
const RAW_DAYS = 2
/** Every few minutes one: what is drawn is the same, and it is written in a fraction of the time. */
const EVERY_MINUTES = 5

type Outage = { from: Date; until: Date | null; cause: string }

/** Checks, roll-ups, states, incidents and alerts of the demo team. Returns two incidents worth a look. */
export async function keepDemoHistory(
  db: Database,
  team: number,
  ids: Map<string, number>,
  contacts: number[],
  days: number,
): Promise<{ resolved: number; open: number }> {
  const now = new Date()
  for (let back = 0; back <= days; back++) {
    const day = new Date(now.getTime() - back * DAY_MS)
    for (const table of [...(back <= RAW_DAYS ? ['checks'] : []), 'check_hours']) {
      await db.pool.query(createPartition(table, day))
    }
  }
  const incidents: { id: number; name: string; outage: Outage }[] = []
  for (const monitor of DEMO_MONITORS) {
    const id = ids.get(monitor.name) as number
    if (monitor.status === 'pending') continue
    const outages = outagesOf(monitor, now)
    await keepChecks(db, id, monitor, outages, days, now)
    await keepState(db, id, monitor, outages, now)
    if (!isPlanned(monitor)) incidents.push(...outages.map((outage) => ({ id, name: monitor.name, outage })))
  }
  await keepPings(db, ids.get('Nightly backup') as number, now)
  const found = { resolved: 0, open: 0 }
  for (const { id, name, outage } of incidents.sort((a, b) => +a.outage.from - +b.outage.from)) {
    const incident = await keepIncident(db, team, id, name, outage, contacts)
    found[outage.until ? 'resolved' : 'open'] = incident
  }
  await db.pool.query(
    `UPDATE monitor_state s SET open_incident_id = i.id FROM team_incidents i
     WHERE i.kind = 'monitor' AND i.subject_id = s.monitor_id AND i.resolved_at IS NULL`,
  )
  await inTransaction(db.pool, async (client) => {
    await writeHoursUntil(client, startOfHour(now))
    await writeConverted(client, null)
  })
  return found
}

function outagesOf({ outages, status }: DemoMonitor, now: Date): Outage[] {
  return outages.map(({ hoursAgo, minutes, cause }, index) => {
    const from = new Date(now.getTime() - hoursAgo * HOUR_MS)
    const lasts = (status === 'down' || status === 'maintenance') && index === outages.length - 1
    return { from, until: lasts ? null : new Date(from.getTime() + minutes * MINUTE_MS), cause }
  })
}

function isPlanned({ status }: DemoMonitor): boolean {
  return status === 'maintenance'
}

async function keepChecks(
  db: Database,
  id: number,
  monitor: DemoMonitor,
  outages: Outage[],
  days: number,
  now: Date,
): Promise<void> {
  const random = randomFrom(id)
  // The newest check is a few seconds old.
  const phaseMs = (now.getTime() - 2_000 - 60 * id) % (EVERY_MINUTES * MINUTE_MS)
  const hours: { at: Date; rollUp: RollUp }[] = []
  const byDay: { at: Date; rollUp: RollUp }[] = []
  for (let back = days; back >= 0; back--) {
    const day = startOfDay(now, -back)
    const checks = checksOf(monitor, day, outages, random, phaseMs).filter(({ checkedAt }) => checkedAt < now)
    const sums = Array.from({ length: 24 }, emptyRollUp)
    for (const check of checks) addCheck(sums[check.checkedAt.getUTCHours()] as RollUp, check)
    const whole = emptyRollUp()
    for (const [hour, rollUp] of sums.entries()) {
      mergeRollUp(whole, rollUp)
      hours.push({ at: new Date(day.getTime() + hour * HOUR_MS), rollUp })
    }
    if (back > 0) byDay.push({ at: day, rollUp: whole })
    if (back < RAW_DAYS) await insertRows(db, id, checks)
  }
  const closed = hours.filter(({ at }) => at < startOfHour(now))
  const trouble = { outages, isPlanned: isPlanned(monitor) }
  await insertRollUps(db, 'hour', id, closed, trouble)
  await insertRollUps(db, 'day', id, byDay, trouble)
}

function checksOf(
  monitor: DemoMonitor,
  day: Date,
  outages: Outage[],
  random: () => number,
  phaseMs: number,
): CheckRecord[] {
  return Array.from({ length: (24 * 60) / EVERY_MINUTES }, (_, index) => {
    const checkedAt = new Date(day.getTime() + index * EVERY_MINUTES * MINUTE_MS + phaseMs + random() * 40)
    const outage = outages.find(({ from, until }) => checkedAt >= from && (!until || checkedAt < until))
    const region = monitor.settings.type === 'heartbeat' ? null : 'lon'
    if (outage)
      return {
        ...failed(checkedAt, region, outage.cause),
        ...(isPlanned(monitor) && { status: 'maintenance' }),
      }
    const status = monitor.status === 'degraded' ? 'degraded' : 'up'
    const busy = 1 + 0.35 * Math.sin((checkedAt.getUTCHours() - 8) / 3.8)
    const total =
      monitor.ms === null ? null : Math.round(monitor.ms * busy * (0.85 - 0.25 * Math.log(1 - random())))
    return {
      checkedAt,
      status,
      responseTimeMs: total,
      httpStatusCode: isWeb(monitor) ? 200 : null,
      region,
      errorMessage: status === 'degraded' ? `certificate expires in ${monitor.certificateDays} days` : null,
      phases: total === null || !isWeb(monitor) ? null : phasesOf(total),
    }
  })
}

function isWeb({ settings }: DemoMonitor): boolean {
  return settings.type === 'http' || settings.type === 'keyword'
}

function phasesOf(total: number): NonNullable<CheckRecord['phases']> {
  const share = (part: number) => Math.max(1, Math.floor(total * part))
  return {
    dnsMs: share(0.04),
    connectMs: share(0.14),
    tlsMs: share(0.24),
    firstByteMs: share(0.5),
    transferMs: share(0.06),
  }
}

function failed(checkedAt: Date, region: string | null, cause: string): CheckRecord {
  const code = /^HTTP (\d+)/.exec(cause)?.[1]
  return {
    checkedAt,
    status: 'down',
    responseTimeMs: code ? 38 : null,
    httpStatusCode: code ? Number(code) : null,
    region,
    errorMessage: cause,
    phases: null,
  }
}

async function insertRows(db: Database, monitorId: number, checks: CheckRecord[]): Promise<void> {
  const rows = checks.map(({ checkedAt, region, ...result }) => ({
    monitorId,
    checkedAt,
    region,
    result: { ...result, certificate: null },
  }))
  await inTransaction(db.pool, (client) => insertChecks(client, rows))
}

async function insertRollUps(
  db: Database,
  unit: 'hour' | 'day',
  id: number,
  rows: { at: Date; rollUp: RollUp }[],
  { outages, isPlanned }: { outages: Outage[]; isPlanned: boolean },
): Promise<void> {
  const lengthMs = unit === 'hour' ? HOUR_MS : DAY_MS
  const troubleMs = rows.map(({ at }) => overlapMs(outages, at.getTime(), at.getTime() + lengthMs))
  const column = <T>(read: (rollUp: RollUp) => T) => rows.map(({ rollUp }) => read(rollUp))
  await db.pool.query(
    `INSERT INTO check_${unit}s (monitor_id, ${unit}, region, up, degraded, down, response_time_sum_ms, histogram,
                                 up_ms, degraded_ms, down_ms, maintenance_ms)
     SELECT $1, at, 'lon', up, degraded, down, sum_ms, histogram,
       CASE WHEN up > 0 THEN $9::int - ms ELSE 0 END, CASE WHEN up > 0 OR degraded = 0 THEN 0 ELSE $9::int - ms END,
       CASE WHEN $10 THEN 0 ELSE ms END, CASE WHEN $10 THEN ms ELSE 0 END
     FROM unnest($2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::bigint[], $7::bytea[], $8::int[])
       AS r (at, up, degraded, down, sum_ms, histogram, ms)`,
    [
      id,
      rows.map(({ at }) => at),
      column(({ up }) => up),
      column(({ degraded }) => degraded),
      column(({ down }) => down),
      column(({ responseTimeSumMs }) => responseTimeSumMs),
      column(({ histogram }) => encodeHistogram(histogram)),
      // Outages are shorter than the time between two of the few checks.
      troubleMs,
      lengthMs,
      isPlanned,
    ],
  )
}

function overlapMs(outages: Outage[], fromMs: number, toMs: number): number {
  const ends = (until: Date | null | undefined) => until?.getTime() ?? Number.POSITIVE_INFINITY
  return outages.reduce(
    (sum, { from, until }) =>
      sum + Math.max(0, Math.min(toMs, ends(until)) - Math.max(fromMs, from.getTime())),
    0,
  )
}

async function keepIncident(
  db: Database,
  team: number,
  monitor: number,
  name: string,
  { from, until, cause }: Outage,
  contacts: number[],
): Promise<number> {
  const span = { started_at: from, resolved_at: until, cause }
  const incident = await addIncident(db, { team_id: team, monitor_id: monitor, ...span })
  await keepAnswer(db, { id: incident, monitorId: monitor, at: from, cause })
  if (!until && cause.startsWith('HTTP'))
    await keepDiagnosis(db, { id: incident, team, monitorId: monitor, at: from })
  for (const [index, contact] of contacts.entries()) {
    for (const [event, at] of [
      ['monitor.down', from],
      ['monitor.recovery', until],
    ] as const) {
      if (at)
        await keepDelivery(db, { team, monitor, name, incident, contact, event, at, fails: index === 2 })
    }
  }
  return incident
}

type Told = {
  team: number
  monitor: number
  name: string
  incident: number
  contact: number
  event: string
  at: Date
  fails: boolean
}

/** Delivered at the second attempt, or refused at once. */
async function keepDelivery(db: Database, told: Told): Promise<void> {
  const { team, monitor, name, incident, contact, event, at, fails } = told
  const attempts = fails
    ? [['rejected', 404, 'HTTP 404: {"message": "Unknown Webhook", "code": 10015}']]
    : [
        ['retry', 503, 'HTTP 503: upstream connect error or disconnect/reset before headers'],
        ['sent', 200, 'ok'],
      ]
  await db.pool.query(
    `WITH delivery AS (
       INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, kind, subject_id, team_incident_id, event, alert,
                               state, attempts, created_at, finished_at)
       SELECT $1, c.id, c.name, c.type, 'monitor', $3, $4, $5, $6, $7, $8, $9, $9::timestamptz + interval '6 seconds'
       FROM contacts c WHERE c.id = $2 RETURNING id, created_at
     )
     INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, duration_ms, outcome, status_code, detail)
     SELECT id, n, created_at + (n - 1) * interval '5 seconds', 84, a ->> 0, (a ->> 1)::int, a ->> 2
     FROM delivery, jsonb_array_elements($10::jsonb) WITH ORDINALITY AS t (a, n)`,
    [
      team,
      contact,
      monitor,
      incident,
      event,
      JSON.stringify({ event, name }),
      fails ? 'failed' : 'sent',
      attempts.length,
      at,
      JSON.stringify(attempts),
    ],
  )
}

/** The pings of a job's last run. */
async function keepPings(db: Database, monitorId: number, now: Date): Promise<void> {
  await db.pool.query(createPartition('pings', new Date(now.getTime() - HOUR_MS)))
  const ping = (minutesAgo: number) => ({
    monitor_id: monitorId,
    received_at: new Date(now.getTime() - minutesAgo * MINUTE_MS),
  })
  await addRows(db, 'pings', [
    { ...ping(41), kind: 'start' },
    {
      ...ping(5),
      kind: 'success',
      exit_status: 0,
      body: Buffer.from('dumped 14 tables\n2.1 GiB written\n'),
    },
  ])
}

async function keepState(
  db: Database,
  id: number,
  { status, certificateDays }: DemoMonitor,
  outages: Outage[],
  now: Date,
): Promise<void> {
  const last = outages.at(-1)
  const since = last ? (last.until ?? last.from) : new Date(now.getTime() - 40 * DAY_MS)
  await db.pool.query(
    `UPDATE monitor_state SET status = $2, status_since = $3, ssl_expires_at = $4,
       last_checked_at = (SELECT max(checked_at) FROM checks WHERE monitor_id = $1)
     WHERE monitor_id = $1`,
    [
      id,
      status,
      since,
      certificateDays === undefined ? null : new Date(now.getTime() + (certificateDays + 0.5) * DAY_MS),
    ],
  )
}
