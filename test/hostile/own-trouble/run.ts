import { setTimeout as delay } from 'node:timers/promises'
import { isUnsettled } from '../../support/records/alerting.ts'
import { until } from '../../support/until.ts'
import { FAILURES } from './far-side.ts'
import { NOTICES, type Row } from './rows.ts'
import type { Victim, World } from './world.ts'

const SECOND_MS = 1_000

/** A target that failed in the middle, when its team was told, and why; `undecided`: what was not judged before. */
export type Told = {
  victim: Victim
  afterFailingMs: number
  afterEndMs: number
  cause: string
  undecided: number
}

export type RowFindings = {
  row: Row
  lastedMs: number
  /** Incidents of what was well all the time, and how many of their alerts came. */
  falseIncidents: { name: string; cause: string; afterBeginMs: number }[]
  falseAlerts: number
  /** Incidents of jobs that had not pinged, by their own log. */
  excused: number
  notices: string[]
  told: Told[]
  /** The checks that were not judged meanwhile. */
  pending: number
  complaints: string[]
}

type Incident = { id: number; monitor: number; startedMs: number; cause: string }

/** Lets one trouble happen, with targets that really fail in its middle, and waits until all is well and told. */
export async function runRow(world: World, row: Row, troubleMs: number): Promise<RowFindings> {
  const { service, receiver, far, victims, healthy } = world
  await untilWell(world)
  const newestIncident = await newestIncidentOf(world)
  const printedBefore = service.output().length
  const receivedBefore = receiver.received.length
  const lastsMs = row.name === 'nothing' ? 0 : (row.seconds ?? troubleMs / SECOND_MS) * SECOND_MS
  const beginMs = Date.now()
  if (row.takesDatabase) await service.letGo()
  const heal = await row.begin(world)
  const printed = () => service.output().slice(printedBefore)
  await delay(lastsMs / 3)
  // So that it does not end before a slow machine has noticed.
  if (row.isNoticed)
    await until(`a notice of ${row.name}`, () => NOTICES.some((notice) => notice.test(printed())))
  const failedMs = Date.now()
  await far.fail(victims)
  await delay((lastsMs * 2) / 3)
  await heal()
  const endMs = Date.now()
  if (row.takesDatabase)
    await until('a way into the database', () =>
      service.takeUp().then(
        () => true,
        () => false,
      ),
    )
  const told: Omit<Told, 'cause' | 'undecided'>[] = []
  for (const victim of victims) {
    const message = await until(`${victim.name} to be told after ${row.name}`, () =>
      receiver.received.find(
        ({ monitor, event, atMs }) => monitor === victim.id && event === 'monitor.down' && atMs >= failedMs,
      ),
    )
    told.push({ victim, afterFailingMs: message.atMs - failedMs, afterEndMs: message.atMs - endMs })
  }
  await far.fail([])
  await untilJudged(world, endMs)
  await untilWell(world)
  const incidents = await incidentsAfter(world, newestIncident)
  const ofHealthy = incidents.filter(({ monitor }) => healthy.has(monitor))
  const excused = await excusedOf(world, ofHealthy, { fromMs: beginMs, toMs: endMs })
  const wrong = ofHealthy.filter(({ id }) => !excused.has(id))
  // The one of a victim that came before it failed, and any further one.
  const early = victims.flatMap(({ id }) => incidents.filter(({ monitor }) => monitor === id).slice(0, -1))
  const alerts = receiver.received
    .slice(receivedBefore)
    .filter(({ monitor, event }) => event === 'monitor.down' && healthy.has(monitor))
  const notices = linesOf(printed())
  return {
    row,
    lastedMs: endMs - beginMs,
    falseIncidents: [...wrong, ...early].map(({ monitor, cause, startedMs }) => ({
      name: healthy.get(monitor) ?? victims.find(({ id }) => id === monitor)?.name ?? '',
      cause,
      afterBeginMs: startedMs - beginMs,
    })),
    falseAlerts: new Set(alerts.map(({ messageId }) => messageId)).size - excused.size,
    excused: excused.size,
    notices: notices.filter((line) => NOTICES.some((notice) => notice.test(line))),
    told: await Promise.all(
      told.map(async (one) => ({
        ...one,
        cause: incidents.findLast(({ monitor }) => monitor === one.victim.id)?.cause ?? '',
        undecided: await pendingSince(world, failedMs, one.victim.id),
      })),
    ),
    pending: await pendingSince(world, beginMs),
    complaints: notices.filter((line) => !NOTICES.some((notice) => notice.test(line))),
  }
}

/** The faults of a row, as sentences; none when it is right. Speed is not judged. */
export function judgeRow({ row, falseIncidents, falseAlerts, notices, told }: RowFindings): string[] {
  const wrong = falseIncidents.map(
    ({ name, cause, afterBeginMs }) => `${name} was called down after ${seconds(afterBeginMs)} s: ${cause}`,
  )
  if (falseAlerts > 0) wrong.push(`${falseAlerts} false alerts`)
  const expected = row.isNoticed ? 1 : 0
  if (row.isNoticed !== null && notices.length !== expected)
    wrong.push(`${notices.length} notices in the place of ${expected}: ${notices.join(' | ')}`)
  for (const { victim, cause, undecided } of told) {
    if (!FAILURES[victim.how].cause.test(cause)) wrong.push(`${victim.name} was told as: ${cause}`)
    if (row.name === 'nothing' && undecided > 0)
      wrong.push(`${victim.name} was not judged ${undecided} times`)
  }
  return wrong
}

export function seconds(ms: number): string {
  return (ms / SECOND_MS).toFixed(1)
}

/** Everything is up, and every alert delivered. */
async function untilWell({ service }: World): Promise<void> {
  await until('everything to be up and told', () =>
    isUnsettled(service.services.db).then(
      (unsettled) => !unsettled,
      () => false,
    ),
  )
}

/** A status outlives what could not be judged: each has had a check since then that was. */
async function untilJudged({ service }: World, sinceMs: number): Promise<void> {
  await until('everything to be judged again', async () => {
    const { rows } = await service.services.db.pool.query<{ count: number }>(
      `SELECT count(*) FROM monitors AS m WHERE type <> 'heartbeat' AND NOT EXISTS (
         SELECT FROM checks AS c WHERE c.monitor_id = m.id AND c.status <> 'pending' AND c.checked_at > $1)`,
      [new Date(sinceMs)],
    )
    return Number(rows[0]?.count) === 0
  })
}

async function newestIncidentOf({ service }: World): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ id: number }>(
    'SELECT coalesce(max(id), 0) AS id FROM incidents',
  )
  return Number(rows[0]?.id)
}

/** By their numbers: the clock may be what is wrong. */
async function incidentsAfter({ service }: World, id: number): Promise<Incident[]> {
  const { rows } = await service.services.db.pool.query<Incident>(
    `SELECT id, monitor_id AS monitor, extract(epoch FROM started_at)::float8 * 1000 AS "startedMs", cause
     FROM incidents WHERE id > $1 ORDER BY id`,
    [id],
  )
  return rows
}

/** How many checks were not judged, of one monitor or of all. */
async function pendingSince(
  { service }: World,
  sinceMs: number,
  monitor: number | null = null,
): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ count: number }>(
    `SELECT count(*) FROM checks
     WHERE status = 'pending' AND checked_at >= $1 AND monitor_id = coalesce($2, monitor_id)`,
    [new Date(sinceMs), monitor],
  )
  return Number(rows[0]?.count ?? 0)
}

/** Of jobs that had no processor to ping with. */
async function excusedOf(
  { jobs }: World,
  incidents: Incident[],
  trouble: { fromMs: number; toMs: number },
): Promise<Set<number>> {
  const isExcused = ({ monitor, startedMs }: Incident) => {
    const job = jobs.get(monitor)
    if (!job) return false
    try {
      job.assertInTime([{ status: 'down', checked_at: new Date(startedMs).toISOString() }], [trouble])
      return true
    } catch {
      return false
    }
  }
  return new Set(incidents.filter(isExcused).map(({ id }) => id))
}

/** The warnings and errors in the operator's log. */
function linesOf(printed: string): string[] {
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level }) => level === 'warn' || level === 'error')
    .map(({ msg }) => msg)
}
