import { wrongSteps } from './escalations/judge-escalations.ts'
import { earlySilences, wasUnheard } from './judge-jobs.ts'
import { brokenPromises, failuresOf, maintenanceOf, matchIncidents, wronglyCovered } from './judge-windows.ts'
import { at, byMonitor, describe, type Evidence, type Incident, type Outage, type Received } from './logs.ts'
import { surplusChecks } from './probing/surplus-checks.ts'
import { differingServerIncidents, wrongReports } from './servers/judge-servers.ts'
import { coveredIncidents, wrongCrawls, wrongWarnings } from './sites/judge-sites.ts'
import { isOfSite } from './sites/truth.ts'
import { freeParts, isIn, longestFree, overlap, type Span, widen } from './spans.ts'

export type Finding = { rule: Rule; text: string }

/** No two clocks agree to better than this. */
const EARLY_MS = 2_000
/** Two looks at a home page of 10 s each, and their recording. */
const LONGEST_LOOK_MS = 22_000

const RULES = {
  'an outage without an incident': unseenOutages,
  'an outage with two incidents': doubledOutages,
  'an incident without an outage': inventedIncidents,
  'a check that the target contradicts': contradictedChecks,
  'checks and incidents differ': differingIncidents,
  'an alert lost or doubled': wrongDeliveries,
  'a message lost, invented or changed': wrongMessages,
  'a step of an escalation lost, doubled or early': wrongSteps,
  'the end told before the beginning': misorderedMessages,
  'a check missed': missedChecks,
  'a check doubled': doubledChecks,
  'a check judged against its window': wronglyCovered,
  'a promise of a window broken': brokenPromises,
  'a job told silent too early': earlySilences,
  'a report lost, doubled or invented': wrongReports,
  'reports and incidents differ': differingServerIncidents,
  'an incident of a site within a window': coveredIncidents,
  'a warning of a site lost, doubled or invented': wrongWarnings,
  'a page of a crawl lost or asked for twice': wrongCrawls,
} satisfies Record<string, (evidence: Evidence) => string[]>

export type Rule = keyof typeof RULES

/** Everything that was lost, doubled, invented or told in the wrong order; nothing when the run was clean. */
export function judge(evidence: Evidence): Finding[] {
  return (Object.keys(RULES) as Rule[]).flatMap((rule) =>
    RULES[rule](evidence).map((text) => ({ rule, text })),
  )
}

/** Only of outages that lasted long enough outside of windows to be seen while somebody could look. */
function unseenOutages(evidence: Evidence): string[] {
  const { outages, incidents, intervalMs, takeoverMs, slackMs, jobs, reports } = evidence
  const speakers = new Set([...jobs.monitors, ...reports.servers])
  const of = maintenanceOf(evidence)
  const late = (spans: Span[]) => spans.map((span) => widen(span, 0, takeoverMs + slackMs))
  const blind = late(evidence.blind)
  const deaf = [...blind, ...late(evidence.unheard)]
  const blindToSites = [...blind, ...late(evidence.blindToSites)]
  return outages
    .flatMap((outage) => {
      const { cover, unsettled } = of(outage.monitor)
      return freeParts(outage, [...cover, ...unsettled])
    })
    .filter((part) => {
      const noticedAfterMs = part.noticedAfterMs ?? intervalMs
      const excused = speakers.has(part.monitor) ? deaf : isOfSite(part) ? blindToSites : blind
      return longestFree(part, excused) >= noticedAfterMs + takeoverMs + slackMs
    })
    .filter((part) => !incidents.some((incident) => isOf(incident, part)))
    .map((part) => `${whatOf(part)} failed ${describe(evidence, part)}`)
}

function doubledOutages(evidence: Evidence): string[] {
  const { outages, incidents, unreachable } = evidence
  return (
    outages
      // A region that cannot reach a target any more opens an incident of its own right before it.
      .filter((outage) => !unreachable.some((span) => overlap(span, outage)))
      .flatMap((outage) => {
        const begun = incidents.filter(
          (incident) =>
            isSame(incident, outage) &&
            isIn(incident.startedMs, { ...outage, toMs: outage.mayEndMs ?? outage.toMs }),
        )
        const ids = begun.map(({ id }) => id).join(', ')
        return begun.length > 1
          ? [`incidents ${ids} of ${whatOf(outage)}, ${describe(evidence, outage)}`]
          : []
      })
  )
}

function inventedIncidents(evidence: Evidence): string[] {
  const { incidents, outages } = evidence
  return incidents
    .filter(
      (incident) =>
        !outages.some((outage) => isOf(incident, widen(outage, EARLY_MS, 0))) &&
        !wasUnheard(evidence, incident) &&
        !mayBeUnreachable(evidence, incident),
    )
    .map(
      (incident) => `incident ${incident.id} of ${whatOf(incident)} at ${at(evidence, incident.startedMs)}`,
    )
}

/** A region that could not reach a target tells what it saw. */
function mayBeUnreachable({ unreachable, longestCheckMs }: Evidence, incident: Incident): boolean {
  if (incident.condition !== undefined && !isOfSite(incident)) return false
  const longestMs = isOfSite(incident) ? LONGEST_LOOK_MS : longestCheckMs
  return unreachable.some((span) => isIn(incident.startedMs, widen(span, longestMs, longestMs)))
}

/**
 * Each judged check is what the target answered from its beginning until it was on record, and before the next one from
 * the same region began: however long a busy machine takes for it, it goes by nothing later.
 */
function contradictedChecks(evidence: Evidence): string[] {
  const unreachable = [...evidence.unreachable, ...evidence.standstills]
  const answers = byMonitor(evidence.answers)
  const wrong = [...byMonitor(evidence.checks).values()].flatMap((checks) =>
    checks.filter(({ monitor, atMs, status: judged, region, committedMs }, i) => {
      if (!answers.has(monitor)) return false
      const status = judged === 'maintenance' ? 'down' : judged
      if (status !== 'up' && status !== 'down') return false
      const longest = { fromMs: atMs - EARLY_MS, toMs: committedMs }
      if (status === 'down' && unreachable.some((span) => overlap(span, longest))) return false
      const next = checks.slice(i + 1).find((one) => one.region === region)
      const nextMs = next?.atMs ?? Number.POSITIVE_INFINITY
      const window = { ...longest, toMs: Math.min(committedMs, nextMs + EARLY_MS) }
      return !(answers.get(monitor) ?? []).some(
        (answer) => answer.status === status && isIn(answer.atMs, window),
      )
    }),
  )
  return wrong.map(({ monitor, atMs, status }) => `monitor ${monitor} was ${status} at ${at(evidence, atMs)}`)
}

/** Each run of failed checks is one incident, from its first failure to the first success after it. */
function differingIncidents(evidence: Evidence): string[] {
  const { expected, found } = matchIncidents(
    failuresOf(evidence),
    evidence.incidents.filter(({ condition }) => condition === undefined),
  )
  return [
    ...without(expected, found).map((run) => `no incident for the failures of ${run}`),
    ...without(found, expected).map((incident) => `no failures for the incident of ${incident}`),
  ]
}

/** Each incident is told once of its beginning and, when it is over, once of its end. */
function wrongDeliveries({ incidents, deliveries }: Evidence): string[] {
  const expected = incidents.flatMap((incident) =>
    eventsOf(incident)
      .slice(0, incident.resolvedMs === null ? 1 : 2)
      .map((event) => `${event} of incident ${incident.id} sent`),
  )
  const found = deliveries.map(({ incident, event, state }) => `${event} of incident ${incident} ${state}`)
  return [
    ...without(expected, found).map((text) => `lost: ${text}`),
    ...without(found, expected).map((text) => `too many: ${text}`),
  ]
}

/** Every message arrived, perhaps more than once, always under its own id and with the same words. */
function wrongMessages({ deliveries: ofIncidents, sites, received }: Evidence): string[] {
  const deliveries = [...ofIncidents, ...sites.warnings]
  const known = new Map(deliveries.map((delivery) => [delivery.messageId, delivery]))
  const arrived = new Map<string, Received>()
  const wrong: string[] = []
  for (const message of received) {
    const { messageId, monitor, event, body } = message
    const delivery = known.get(messageId)
    const first = arrived.get(messageId)
    if (!delivery) wrong.push(`nobody meant to send ${messageId}`)
    else if (delivery.event !== event || delivery.monitor !== monitor) {
      wrong.push(`${messageId} tells ${event} of monitor ${monitor}`)
    }
    if (first && first.body !== body) wrong.push(`${messageId} changed its words`)
    arrived.set(messageId, first ?? message)
  }
  const lost = deliveries.filter(({ messageId, state }) => state === 'sent' && !arrived.has(messageId))
  const idsOfBody = new Map<string, string>()
  for (const [id, { body }] of arrived) {
    const other = idsOfBody.get(body)
    if (other !== undefined) wrong.push(`${other} and ${id} say the same`)
    idsOfBody.set(body, id)
  }
  return [...wrong, ...lost.map(({ messageId }) => `${messageId} is marked as sent and never arrived`)]
}

/** A beginning that had to be tried again may be overtaken; nothing else may. */
function misorderedMessages({ incidents, deliveries, received }: Evidence): string[] {
  const firstMs = new Map<string, number>()
  for (const { messageId, atMs } of received) {
    firstMs.set(messageId, Math.min(atMs, firstMs.get(messageId) ?? Number.POSITIVE_INFINITY))
  }
  return incidents.flatMap((incident) => {
    const { id } = incident
    const [begun, ended] = eventsOf(incident).map((event) =>
      deliveries.find((delivery) => delivery.incident === id && delivery.event === event),
    )
    if (!begun || !ended || begun.attempts > 1) return []
    const [begunMs, endedMs] = [firstMs.get(begun.messageId), firstMs.get(ended.messageId)]
    return begunMs !== undefined && endedMs !== undefined && endedMs < begunMs ? [`incident ${id}`] : []
  })
}

/** No monitor waits for longer than an interval and a takeover while somebody can check it. */
function missedChecks(evidence: Evidence): string[] {
  const { intervalMs, takeoverMs, slackMs, fromMs, toMs } = evidence
  const excused = [
    ...evidence.blind.map((span) => widen(span, 0, takeoverMs + slackMs)),
    // A target that nothing reaches cannot say that it was asked.
    ...evidence.unreachable.map((span) => widen(span, 0, evidence.longestCheckMs)),
  ]
  return [...byMonitor(evidence.answers)].flatMap(([monitor, answers]) => {
    const times = [fromMs, ...answers.map(({ atMs }) => atMs), toMs]
    const gaps = times.slice(1).map((time, i) => ({ fromMs: times[i] as number, toMs: time }))
    return gaps
      .filter((gap) => longestFree(gap, excused) > intervalMs + takeoverMs + slackMs)
      .map((gap) => `monitor ${monitor} was not checked ${describe(evidence, gap)}`)
  })
}

/** No monitor is checked more often than anything asked for, but for the time in which somebody takes over. */
function doubledChecks(evidence: Evidence): string[] {
  const { intervalMs, takeoverMs, slackMs, fromMs } = evidence
  // Before the run was ready, processes joined one after the other.
  const start = { fromMs: Number.NEGATIVE_INFINITY, toMs: fromMs }
  const excuses = [start, ...evidence.faults, ...evidence.takeovers].map((span) =>
    widen(span, intervalMs, takeoverMs + slackMs),
  )
  return surplusChecks(evidence)
    .filter(({ atMs }) => !excuses.some((span) => isIn(atMs, span)))
    .map(({ monitor, atMs }) => `monitor ${monitor} was checked once more at ${at(evidence, atMs)}`)
}

/** The items that the first list has more often than the second. */
function without(some: string[], others: string[]): string[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
  return some.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count <= 0
  })
}

/** Whether an incident may be that outage: it began in it, or had begun before and went on. */
function isOf(incident: Incident, outage: Outage): boolean {
  const { startedMs, resolvedMs } = incident
  const lasted = { fromMs: startedMs, toMs: resolvedMs ?? Number.POSITIVE_INFINITY }
  return isSame(incident, outage) && overlap(lasted, outage)
}

type Subject = Pick<Incident, 'monitor' | 'condition'>

/** Each condition of a server is one of its own. */
function isSame(one: Subject, other: Subject): boolean {
  return one.monitor === other.monitor && one.condition === other.condition
}

function whatOf(subject: Subject): string {
  const { monitor, condition } = subject
  const name = `${typeOf(subject)} ${monitor}`
  return condition === undefined ? name : `${condition} of ${name}`
}

function typeOf(subject: Pick<Subject, 'condition'>): string {
  if (isOfSite(subject)) return 'site'
  return subject.condition === undefined ? 'monitor' : 'server'
}

/** The alerts about its beginning and its end. */
function eventsOf(subject: Subject): string[] {
  const type = typeOf(subject)
  return [`${type}.down`, `${type}.recovery`]
}
