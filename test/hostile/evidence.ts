import { phaseMs } from '../../src/core/probing/schedule.ts'
import { longestAttemptMs } from '../../src/core/probing/time-limit.ts'
import { isUnsettled } from '../support/records/alerting.ts'
import { readEscalations } from './escalations/rows.ts'
import type { Fault } from './faults.ts'
import { JOB_INTERVAL_SECONDS } from './jobs.ts'
import type { Check, Delivery, Evidence, Incident, RecordedCheck } from './logs.ts'
import { readServerRows } from './servers/rows.ts'
import { readSiteRows } from './sites/rows.ts'
import type { Span } from './spans.ts'
import { readApplied } from './windows/rows.ts'
import type { Plan, World } from './world.ts'

const INTERVAL_MS = 1_000
/** The takeover time that docs/scaling-out.md promises when a process is gone. */
const TAKEOVER_MS = 10_000
/** The time that a check takes beyond its target's timeout. */
const RECORDING_MS = 2_000

/** The logs of all sides, with the monitors numbered as their targets are. */
export async function gatherEvidence(
  world: World,
  faults: Fault[],
  fromMs: number,
  { slackMs, timeoutSeconds }: Plan & { slackMs: number },
): Promise<Evidence> {
  const numberOf = (id: number) => world.numbers.get(id) ?? -1
  const toMs = Date.now()
  const serverNumbers = new Map(world.servers.map(({ id, number }) => [id, number]))
  const serverOf = (id: number) => serverNumbers.get(id) ?? -1
  const { checks, incidents, deliveries } = await readAll(world)
  const servers = await readServerRows(world.direct)
  const siteNumbers = new Map(world.sites.map(({ id, number }) => [id, number]))
  const siteOf = (id: number) => siteNumbers.get(id) ?? -1
  const sites = await readSiteRows(world.direct)
  const numbered = checks.map((check) => ({ ...check, monitor: numberOf(check.monitor) }))
  const { targets, jobs, machines, websites, people, standstills } = world
  const subjects: Record<string, (id: number) => number> = { server: serverOf, site: siteOf }
  return {
    intervalMs: INTERVAL_MS,
    takeoverMs: TAKEOVER_MS,
    longestCheckMs: longestAttemptMs(timeoutSeconds * 1_000) + RECORDING_MS,
    slackMs,
    fromMs,
    toMs,
    outages: [...targets.outages, ...jobs.outages, ...machines.outages, ...websites.outages],
    answers: targets.answers.filter(({ atMs }) => atMs <= toMs),
    checks: judgedOf(numbered, world),
    recorded: numbered.filter(({ monitor }) => world.pages.includes(monitor)),
    phases: phasesOf(world),
    takeovers: world.takeovers,
    incidents: [
      ...numberedBy(numberOf, incidents),
      ...numberedBy(serverOf, servers.incidents),
      ...numberedBy(siteOf, sites.incidents),
    ],
    deliveries: [
      ...numberedBy(numberOf, deliveries),
      ...numberedBy(serverOf, servers.deliveries),
      ...numberedBy(siteOf, sites.deliveries),
    ],
    escalations: {
      isOn: true,
      incidents: numberedBy(numberOf, await readEscalations(world.direct)),
      received: numberedBy(numberOf, world.receiver.stepped),
      unable: [...unableSpans(world, faults), ...standstills],
    },
    received: world.receiver.received.map(({ type, ...message }) => ({
      ...message,
      monitor: (subjects[type] ?? numberOf)(message.monitor),
    })),
    blind: [...blindSpans(world, faults), ...standstills],
    blindToSites: [...blindToSites(world, faults), ...standstills],
    unheard: [...unheardSpans(world, faults), ...standstills],
    pings: jobs.pings,
    jobs: { monitors: [...world.addresses.keys()], intervalMs: JOB_INTERVAL_SECONDS * 1_000 },
    reports: {
      servers: world.servers.map(({ number }) => number),
      sent: machines.sent,
      kept: servers.kept.map((report) => ({ ...report, server: serverOf(report.server) })),
    },
    sites: {
      numbers: world.sites.map(({ number }) => number),
      answers: websites.answers,
      crawls: [...websites.crawls.values()],
      warnings: numberedBy(siteOf, sites.warnings),
    },
    applied: await readApplied(world.direct, world.numbers),
    changes: people?.changes ?? [],
    promised: people?.promised ?? [],
    unreachable: faults.filter(({ takes }) => takes === 'the way to the targets'),
    faults,
    standstills,
  }
}

/** The rule by which ticks are spread. */
function phasesOf({ numbers, pages }: World): Evidence['phases'] {
  return [...numbers]
    .filter(([, monitor]) => pages.includes(monitor))
    .map(([id, monitor]) => ({ monitor, phaseMs: phaseMs(id, INTERVAL_MS) }))
}

function numberedBy<T extends { monitor: number }>(numberOf: (id: number) => number, all: T[]): T[] {
  return all.map((one) => ({ ...one, monitor: numberOf(one.monitor) }))
}

/** Whether everything is up, crawled and every alert delivered; false when the database does not answer. */
export async function isSettled({ direct, websites }: World): Promise<boolean> {
  if (!websites.areCrawled()) return false
  return isUnsettled(direct).then(
    (unsettled) => !unsettled,
    () => false,
  )
}

/**
 * Transactions of one monitor's checks end in the order in which they held its state: they keep it until then. A check
 * written after a later one of the same monitor is kept as history and does not count for the verdict. What jobs say, and
 * their silence, counts in the order in which it was written.
 */
function judgedOf(checks: RecordedCheck[], { addresses }: World): Check[] {
  const newest = new Map<number, number>()
  return checks
    .toSorted((a, b) => a.committedMs - b.committedMs || a.atMs - b.atMs)
    .map((check, turn) => ({ ...check, turn }))
    .filter(({ monitor, atMs }) => {
      if (addresses.has(monitor)) return true
      if (atMs < (newest.get(monitor) ?? 0)) return false
      newest.set(monitor, atMs)
      return true
    })
}

/** When the database was gone, and when every process that probes was, each until others may have taken over. */
function blindSpans({ members }: World, faults: Fault[]): Span[] {
  const database = faults.filter(({ takes }) => takes === 'the database')
  const gone = members
    .filter(({ probes }) => probes)
    .map(({ name, needs }) =>
      faults
        .filter(({ victim, takes }) => takes !== null && (victim === name || needs.includes(victim)))
        .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + TAKEOVER_MS })),
    )
  return [...database, ...gone.reduce(intersect)]
}

/** When the database was gone, or every process that sends alerts. */
function unableSpans({ members }: World, faults: Fault[]): Span[] {
  const gone = members
    .filter(({ name }) => name.includes('alerts'))
    .map(({ name }) => faults.filter(({ victim, takes }) => takes !== null && victim === name))
  const spans = gone.map((some) => some.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + TAKEOVER_MS })))
  return [...faults.filter(({ takes }) => takes === 'the database'), ...spans.reduce(intersect)]
}

/** A site is looked at from one region, and each fault of any may move it to another. */
function blindToSites({ members }: World, faults: Fault[]): Span[] {
  const looking = members.filter(({ probes, needs }) => probes && needs.length === 0).map(({ name }) => name)
  return faults.filter(({ victim, takes }) => takes === 'the database' || (takes && looking.includes(victim)))
}

/** When the one that answers jobs and servers could not, or could not write down what they said. */
function unheardSpans({ members: [api] }: World, faults: Fault[]): Span[] {
  return faults.filter(
    ({ victim, takes }) => takes === 'the database' || (victim === api?.name && takes !== null),
  )
}

function intersect(some: Span[], others: Span[]): Span[] {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const both = { fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) }
      return both.fromMs < both.toMs ? [both] : []
    }),
  )
}

async function readAll({ direct: { pool }, contactId }: World) {
  const checks = await pool.query<RecordedCheck>(
    `SELECT monitor_id AS monitor, extract(epoch FROM checked_at)::float8 * 1000 AS "atMs", status, region,
            extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS "committedMs"
     FROM checks`,
  )
  const incidents = await pool.query<Incident>(
    `SELECT id, subject_id AS monitor, extract(epoch FROM started_at)::float8 * 1000 AS "startedMs",
            extract(epoch FROM resolved_at)::float8 * 1000 AS "resolvedMs"
     FROM team_incidents WHERE kind = 'monitor'`,
  )
  const deliveries = await pool.query<Delivery>(
    `SELECT message_id AS "messageId", team_incident_id AS incident, subject_id AS monitor, event, state, attempts
     FROM deliveries WHERE kind = 'monitor' AND contact_id = $1`,
    [contactId],
  )
  return { checks: checks.rows, incidents: incidents.rows, deliveries: deliveries.rows }
}
