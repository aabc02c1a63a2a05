import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import {
  downOf,
  type Incident,
  incidentsAfter,
  newestIncidentOf,
  pendingSince,
  untilJudged,
  untilWell,
} from './records.ts'
import { NOTICES } from './row.ts'
import type { Scene } from './rows.ts'
import type { Victim, World } from './world.ts'

const SECOND_MS = 1_000
const POLL_MS = 50
/** A trouble that nobody noticed ends after its time and so many times that. */
const UNNOTICED = 2
/** A real failure has been told by then: so many intervals and time-outs, and a slow machine's time. */
const TOLD_AFTER = 4
const SLOW_MS = 60_000

/** A target that failed in the middle, when its team was told, and why; `undecided`: what was not judged before. */
export type Told = {
  victim: Victim
  afterFailingMs: number
  afterEndMs: number
  cause: string
  undecided: number
}

export type Findings = {
  scene: Scene
  lastedMs: number
  /** Incidents of what was well all the time, and how many of their alerts came. */
  falseIncidents: { name: string; cause: string; afterBeginMs: number }[]
  falseAlerts: number
  /** Incidents of jobs that had not pinged, by their own log. */
  excused: number
  notices: string[]
  victims: Victim[]
  /** For each of the victims; null: its team was never told, or before it failed. */
  told: (Told | null)[]
  /** The checks that were not judged meanwhile. */
  pending: number
  complaints: string[]
}

/** Lets one trouble happen, with targets that really fail in its middle, and waits until all is well and told. */
export async function runScene(world: World, scene: Scene, troubleMs: number): Promise<Findings> {
  const { row } = scene
  const { service, receiver, far, healthy } = world
  await world.setStage(scene.stage)
  const { victims } = world
  await untilWell(service)
  const newestIncident = await newestIncidentOf(service)
  const printedBefore = service.output().length
  const receivedBefore = receiver.received.length
  const lastsMs = row.name === 'nothing' ? 0 : row.seconds ? row.seconds * SECOND_MS : troubleMs
  const beginMs = Date.now()
  if (row.takesDatabase) await service.letGo()
  const heal = await row.begin(world)
  const printed = () => service.output().slice(printedBefore)
  const isNoticed = () => NOTICES.some((notice) => notice.test(printed()))
  await delay(lastsMs / 3)
  // The trouble does not end before a slow machine has noticed.
  while (row.isNoticed && !isNoticed() && Date.now() < beginMs + UNNOTICED * lastsMs) await delay(POLL_MS)
  const failedMs = Date.now()
  const downBefore = row.takesDatabase ? new Set() : await downOf(service)
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
  const messages = await Promise.all(
    victims.map((victim) => (downBefore.has(victim.id) ? null : messageAbout(world, victim, failedMs))),
  )
  const pendingOf = await Promise.all(victims.map(({ id }) => pendingSince(service, failedMs, id)))
  await far.fail([])
  await untilJudged(service, endMs)
  await untilWell(service)
  const incidents = await incidentsAfter(service, newestIncident)
  const ofHealthy = incidents.filter(({ monitor }) => healthy.has(monitor))
  const excused = excusedOf(world, ofHealthy, { fromMs: beginMs, toMs: endMs })
  const wrong = ofHealthy.filter(({ id }) => !excused.has(id))
  // The one of a victim that came before it failed, and any further one.
  const early = victims.flatMap(({ id }) => incidents.filter(({ monitor }) => monitor === id).slice(0, -1))
  const alerts = receiver.received
    .slice(receivedBefore)
    .filter(({ monitor, event }) => event === 'monitor.down' && healthy.has(monitor))
  const lines = linesOf(printed())
  return {
    scene,
    lastedMs: endMs - beginMs,
    falseIncidents: [...wrong, ...early].map(({ monitor, cause, startedMs }) => ({
      name: healthy.get(monitor) ?? victims.find(({ id }) => id === monitor)?.name ?? '',
      cause,
      afterBeginMs: startedMs - beginMs,
    })),
    falseAlerts: new Set(alerts.map(({ messageId }) => messageId)).size - excused.size,
    excused: excused.size,
    notices: lines.filter((line) => NOTICES.some((notice) => notice.test(line))),
    victims,
    told: victims.map((victim, i) => {
      const atMs = messages[i]
      if (atMs === null || atMs === undefined) return null
      return {
        victim,
        afterFailingMs: atMs - failedMs,
        afterEndMs: atMs - endMs,
        cause: incidents.findLast(({ monitor }) => monitor === victim.id)?.cause ?? '',
        undecided: pendingOf[i] ?? 0,
      }
    }),
    pending: await pendingSince(service, beginMs),
    complaints: lines.filter((line) => !NOTICES.some((notice) => notice.test(line))),
  }
}

/** When the team of a failing target was told; null if it was not. */
async function messageAbout(
  { receiver, plan }: World,
  victim: Victim,
  failedMs: number,
): Promise<number | null> {
  const lastMs = Date.now() + TOLD_AFTER * (plan.intervalSeconds + plan.timeoutSeconds) * SECOND_MS + SLOW_MS
  for (; Date.now() < lastMs; await delay(POLL_MS)) {
    const message = receiver.received.find(
      ({ monitor, event, atMs }) => monitor === victim.id && event === 'monitor.down' && atMs >= failedMs,
    )
    if (message) return message.atMs
  }
  return null
}

/** Jobs that had no processor to ping with are excused. */
function excusedOf(
  { jobs }: World,
  incidents: Incident[],
  trouble: { fromMs: number; toMs: number },
): Set<number> {
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
