/** The logs of a run, one for each side. Times are milliseconds since 1970. */
export type Evidence = {
  intervalMs: number
  /** How long it may take until somebody else does the work of whoever is gone. */
  takeoverMs: number
  /** How long a check may take. */
  longestCheckMs: number
  /** How many regions take turns: a region's next check begins when the one before is over. */
  regions: number
  /** The slack that a busy machine may add to any wait. */
  slackMs: number
  /** When the run was ready, and when it ended. */
  fromMs: number
  toMs: number
  /** When each target failed: the truth. */
  outages: Outage[]
  /** The requests and answers of each target, by its own log. */
  answers: Answer[]
  checks: Check[]
  incidents: Incident[]
  deliveries: Delivery[]
  /** The messages that reached the receiver, by its own log. */
  received: Received[]
  /** When nobody could check: no database, or nobody who probes. */
  blind: Span[]
  /** When somebody who probes could not reach the targets: failures are true from there. */
  unreachable: Span[]
  /** While these lasted, and for a takeover after, two may have done the same. */
  faults: Span[]
}

export type Span = { fromMs: number; toMs: number }
export type Outage = Span & { monitor: number }
export type Answer = { monitor: number; atMs: number; status: 'up' | 'down' }
export type Check = { monitor: number; atMs: number; status: string }
export type Incident = { id: number; monitor: number; startedMs: number; resolvedMs: number | null }
export type Delivery = {
  messageId: string
  incident: number
  monitor: number
  event: string
  state: string
  attempts: number
}
export type Received = { messageId: string; monitor: number; event: string; body: string; atMs: number }

export type Finding = { rule: Rule; text: string }

const EVENTS = ['monitor.down', 'monitor.recovery']
/** No two clocks agree to better than this. */
const EARLY_MS = 2_000

const RULES = {
  'an outage without an incident': unseenOutages,
  'an outage with two incidents': doubledOutages,
  'an incident without an outage': inventedIncidents,
  'a check that the target contradicts': contradictedChecks,
  'checks and incidents differ': differingIncidents,
  'an alert lost or doubled': wrongDeliveries,
  'a message lost, invented or changed': wrongMessages,
  'the end told before the beginning': misorderedMessages,
  'a check missed': missedChecks,
  'a check doubled': doubledChecks,
} satisfies Record<string, (evidence: Evidence) => string[]>

export type Rule = keyof typeof RULES

/** Everything that was lost, doubled, invented or told in the wrong order; nothing when the run was clean. */
export function judge(evidence: Evidence): Finding[] {
  return (Object.keys(RULES) as Rule[]).flatMap((rule) =>
    RULES[rule](evidence).map((text) => ({ rule, text })),
  )
}

/** Only of outages that lasted long enough to be seen while somebody could look. */
function unseenOutages(evidence: Evidence): string[] {
  const { outages, incidents, intervalMs, takeoverMs, slackMs } = evidence
  const blind = evidence.blind.map((span) => widen(span, 0, takeoverMs + slackMs))
  return outages
    .filter((outage) => longestFree(outage, blind) >= intervalMs + takeoverMs + slackMs)
    .filter((outage) => !incidents.some((incident) => isOf(incident, outage)))
    .map((outage) => `monitor ${outage.monitor} failed ${describe(evidence, outage)}`)
}

function doubledOutages(evidence: Evidence): string[] {
  const { outages, incidents, unreachable } = evidence
  return (
    outages
      // A region that cannot reach a target any more opens an incident of its own right before it.
      .filter((outage) => !unreachable.some((span) => overlap(span, outage)))
      .flatMap((outage) => {
        const begun = incidents.filter(
          ({ monitor, startedMs }) => monitor === outage.monitor && isIn(startedMs, outage),
        )
        const ids = begun.map(({ id }) => id).join(', ')
        return begun.length > 1
          ? [`incidents ${ids} of monitor ${outage.monitor}, ${describe(evidence, outage)}`]
          : []
      })
  )
}

function inventedIncidents(evidence: Evidence): string[] {
  const { incidents, outages, unreachable, longestCheckMs } = evidence
  return incidents
    .filter(
      (incident) =>
        !outages.some((outage) => isOf(incident, widen(outage, EARLY_MS, 0))) &&
        !unreachable.some((span) => isIn(incident.startedMs, widen(span, longestCheckMs, longestCheckMs))),
    )
    .map(({ id, monitor, startedMs }) => `incident ${id} of monitor ${monitor} at ${at(evidence, startedMs)}`)
}

/** Each judged check is what the target answered from its beginning to that of the next one from the same region. */
function contradictedChecks(evidence: Evidence): string[] {
  const { unreachable, longestCheckMs, regions } = evidence
  const answers = byMonitor(evidence.answers)
  const wrong = [...byMonitor(evidence.checks).values()].flatMap((checks) =>
    checks.filter(({ monitor, atMs, status }, i) => {
      if (status !== 'up' && status !== 'down') return false
      const longest = { fromMs: atMs - EARLY_MS, toMs: atMs + longestCheckMs }
      if (status === 'down' && unreachable.some((span) => overlap(span, longest))) return false
      const nextMs = checks[i + regions]?.atMs ?? Number.POSITIVE_INFINITY
      const window = { ...longest, toMs: Math.min(longest.toMs, nextMs + EARLY_MS) }
      return !(answers.get(monitor) ?? []).some(
        (answer) => answer.status === status && isIn(answer.atMs, window),
      )
    }),
  )
  return wrong.map(({ monitor, atMs, status }) => `monitor ${monitor} was ${status} at ${at(evidence, atMs)}`)
}

/** Each run of failed checks is one incident, from its first failure to the first success after it. */
function differingIncidents({ checks, incidents }: Evidence): string[] {
  const expected = runsOf(checks).map(nameOf)
  const found = incidents.map(nameOf)
  return [
    ...without(expected, found).map((run) => `no incident for the failures of ${run}`),
    ...without(found, expected).map((incident) => `no failures for the incident of ${incident}`),
  ]
}

/** Each incident is told once of its beginning and, when it is over, once of its end. */
function wrongDeliveries({ incidents, deliveries }: Evidence): string[] {
  const expected = incidents.flatMap(({ id, resolvedMs }) =>
    (resolvedMs === null ? EVENTS.slice(0, 1) : EVENTS).map((event) => `${event} of incident ${id} sent`),
  )
  const found = deliveries.map(({ incident, event, state }) => `${event} of incident ${incident} ${state}`)
  return [
    ...without(expected, found).map((text) => `lost: ${text}`),
    ...without(found, expected).map((text) => `too many: ${text}`),
  ]
}

/** Every message arrived, perhaps more than once, always under its own id and with the same words. */
function wrongMessages({ deliveries, received }: Evidence): string[] {
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
  return incidents.flatMap(({ id }) => {
    const [begun, ended] = EVENTS.map((event) =>
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

/** No monitor is checked twice in an interval, but for the time in which somebody takes over. */
function doubledChecks(evidence: Evidence): string[] {
  const { intervalMs, takeoverMs, slackMs, fromMs } = evidence
  // Before the run was ready, processes joined one after the other.
  const start = { fromMs: Number.NEGATIVE_INFINITY, toMs: fromMs }
  const takeovers = [start, ...evidence.faults].map((span) => widen(span, intervalMs, takeoverMs + slackMs))
  return [...byMonitor(evidence.answers)].flatMap(([monitor, answers]) =>
    closePairs(answers, intervalMs)
      .filter((pair) => !takeovers.some((span) => overlap(span, pair)))
      .map((pair) => `monitor ${monitor} was checked twice ${describe(evidence, pair)}`),
  )
}

/** Answers that follow each other sooner than any two ticks do, in every case. */
export function closePairs(answers: Answer[], intervalMs: number): Span[] {
  return answers.slice(1).flatMap(({ atMs }, i) => {
    const fromMs = answers[i]?.atMs ?? atMs
    return atMs - fromMs < intervalMs / 4 ? [{ fromMs, toMs: atMs }] : []
  })
}

/** Each run of failed checks of a monitor, with the first success after it. */
function runsOf(checks: Check[]): Omit<Incident, 'id'>[] {
  const runs: Omit<Incident, 'id'>[] = []
  const open = new Map<number, Omit<Incident, 'id'>>()
  for (const { monitor, atMs, status } of checks.toSorted((a, b) => a.atMs - b.atMs)) {
    const run = open.get(monitor)
    if (status === 'down' && !run) {
      const begun = { monitor, startedMs: atMs, resolvedMs: null }
      open.set(monitor, begun)
      runs.push(begun)
    } else if (status === 'up' && run) {
      run.resolvedMs = atMs
      open.delete(monitor)
    }
  }
  return runs
}

function nameOf({ monitor, startedMs, resolvedMs }: Omit<Incident, 'id'>): string {
  return `monitor ${monitor} from ${startedMs} to ${resolvedMs ?? 'now'}`
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

/** In the order of their times. */
export function byMonitor<T extends { monitor: number; atMs: number }>(all: T[]): Map<number, T[]> {
  return Map.groupBy(
    all.toSorted((a, b) => a.atMs - b.atMs),
    ({ monitor }) => monitor,
  )
}

/** Whether an incident may be that outage: it began in it, or had begun before and went on. */
function isOf({ monitor, startedMs, resolvedMs }: Incident, outage: Outage): boolean {
  const lasted = { fromMs: startedMs, toMs: resolvedMs ?? Number.POSITIVE_INFINITY }
  return monitor === outage.monitor && overlap(lasted, outage)
}

/** The longest part of a span, in milliseconds, that none of the others covers. */
function longestFree(span: Span, others: Span[]): number {
  let freeFromMs = span.fromMs
  let longest = 0
  for (const other of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (!overlap(other, span)) continue
    longest = Math.max(longest, other.fromMs - freeFromMs)
    freeFromMs = Math.max(freeFromMs, other.toMs)
  }
  return Math.max(longest, span.toMs - freeFromMs)
}

function widen<T extends Span>(span: T, beforeMs: number, afterMs: number): T {
  return { ...span, fromMs: span.fromMs - beforeMs, toMs: span.toMs + afterMs }
}

function overlap(a: Span, b: Span): boolean {
  return a.fromMs <= b.toMs && b.fromMs <= a.toMs
}

function isIn(atMs: number, span: Span): boolean {
  return atMs >= span.fromMs && atMs <= span.toMs
}

function describe(evidence: Evidence, { fromMs, toMs }: Span): string {
  return `from ${at(evidence, fromMs)} on for ${seconds(toMs - fromMs)}`
}

/** Since the run was ready, as its report counts. */
function at({ fromMs }: Evidence, ms: number): string {
  return seconds(ms - fromMs)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
