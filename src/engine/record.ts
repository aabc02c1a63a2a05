import { setTimeout as delay } from 'node:timers/promises'
import { addressees } from '../core/alerting/alert-routing.ts'
import type { CheckResult } from '../core/monitors/check.ts'
import { deadline } from '../core/monitors/heartbeat.ts'
import { decide } from '../core/monitors/verdict.ts'
import { placeResult, surplus } from '../core/probing/remote-result.ts'
import { type Connection, type Database, inTransaction } from '../postgres/database.ts'
import {
  type CheckRow,
  insertChecks,
  insertDeliveries,
  insertPings,
  lockStates,
  openIncident,
  type PingRow,
  readRecipients,
  readSubjects,
  readWritten,
  resolveIncident,
  type StateRow,
  type Subject,
  updateStates,
  writtenKey,
} from '../store/monitors/recording.ts'
import { announceMonitorNews, type MonitorNews } from '../store/news.ts'
import { holdMemberships } from '../store/probing/memberships.ts'
import { readTicks, type SeenTick, type Tick, tickKey } from '../store/probing/remote-probes.ts'
import { monitorAlert } from './alerting/monitor-alert.ts'

const MAX_BATCH = 500
const RETRY_MS = 250
const MAX_RETRY_MS = 5_000
/** How long a finding without news waits for others: at a quiet pace a transaction each would cost the most. */
const GATHER_MS = 250

/** Whether jobs can reach us is known this late; one that pings only so shortly before its deadline is late anyway. */
const HEARING_GAP_MS = 2_000

/** What was found out about a monitor: by a probe, by a ping, or by its silence. */
export type Finding = {
  monitorId: number
  /** The settings it was found with; null for a ping, which any settings judge. */
  revision: number | null
  checkedAt: Date
  region: string | null
  /** Null when there is nothing to judge (a job that says it starts). */
  result: CheckResult | null
  heartbeat: 'ping' | 'silence' | null
  ping: PingRow | null
  /** Under which membership of those that probe it was found; it counts while that lives. */
  membership?: number | null
  /** How many checks in a row must pass before a monitor that is down is up again; one, unless told. */
  recoveryChecks?: number
  /** Of a remote probe, the tick it was for: it may come late, more than once, and without need. */
  tick?: TickOf
  /** Up as before: nobody waits to see it, so it may wait for others. */
  steady?: boolean
  /** Asked once the monitor's state is locked, however long that took; false makes the finding stale. */
  stillTrue?: () => boolean
}

/** `hasTurn` and `askedAtMs` as `surplus` takes them. */
export type TickOf = Omit<Tick, 'monitorId'> & { hasTurn: boolean; askedAtMs: number }

/**
 * `stale`: the monitor was changed, paused or deleted meanwhile, the deadline has moved, or somebody else has taken the
 * monitor over; nothing was written. `surplus`: neither was what a remote probe had no reason to check, as `why` says.
 */
export type Recorded = {
  kind: 'recorded' | 'stale' | 'surplus'
  heartbeatDueAt: Date | null
  why?: string
}

export type Recorder = {
  /** Resolves once the finding and all that follows from it are durable. */
  record(finding: Finding): Promise<Recorded>
  /** Writes what is waiting and stops. */
  close(): Promise<void>
}

type Waiting = { finding: Finding; resolve: (recorded: Recorded) => void; reject: (error: unknown) => void }

/** A batch that is durable, for whoever counts. */
export type Written = { findings: number; tookMs: number }

/**
 * Gathers findings while the batch before them commits, and writes each batch in ONE transaction: checks,
 * states, incidents and deliveries together, so that no crash can part an incident from its alerts.
 */
export function createRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (written: Written) => void = () => {},
): Recorder & { readonly waiting: number } {
  let waiting: Waiting[] = []
  let writing: Promise<void> | null = null
  let gathering: NodeJS.Timeout | undefined
  let closed = false

  function write() {
    clearTimeout(gathering)
    gathering = undefined
    // The turn lets findings that arrive together share a transaction.
    writing ??= new Promise<void>((turn) => setImmediate(turn)).then(writeAll)
  }

  async function writeAll() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await writeUntilSettled(batch)
    }
    writing = null
  }

  async function writeUntilSettled(batch: Waiting[]) {
    const began = performance.now()
    for (
      let retryMs = RETRY_MS, again = false;
      ;
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS), again = true
    ) {
      try {
        const findings = batch.map(({ finding }) => finding)
        const recorded = await inTransaction(db.pipelined, (client) => recordBatch(client, findings, again))
        for (const [index, { resolve }] of batch.entries()) resolve(recorded[index] as Recorded)
        return note({ findings: batch.length, tookMs: performance.now() - began })
      } catch (error) {
        onTrouble(error)
        if (isFaultOfData(error)) return await writeOneByOne(batch)
        if (closed) return rejectAll(batch, error)
        await delay(retryMs)
      }
    }
  }

  /** One bad row must not keep the others from being written. */
  async function writeOneByOne(batch: Waiting[]) {
    for (const { finding, resolve, reject } of batch) {
      await inTransaction(db.pipelined, (client) => recordBatch(client, [finding], true)).then(
        ([recorded]) => resolve(recorded as Recorded),
        reject,
      )
    }
  }

  return {
    get waiting() {
      return waiting.length
    },
    record(finding) {
      if (closed) return Promise.reject(new Error('the recorder is closed'))
      return new Promise((resolve, reject) => {
        waiting.push({ finding, resolve, reject })
        if (finding.steady && waiting.length < MAX_BATCH) gathering ??= setTimeout(write, GATHER_MS)
        else write()
      })
    },
    async close() {
      closed = true
      if (waiting.length > 0) write()
      await writing
    },
  }
}

function rejectAll(batch: Waiting[], error: unknown) {
  for (const { reject } of batch) reject(error)
}

/** SQLSTATE classes 22 (data) and 23 (constraints): trying the same again cannot help. */
export function isFaultOfData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}

/** Writes a batch over a pipelined connection; `again` when an earlier try may have been committed without our knowing. */
async function recordBatch(client: Connection, findings: Finding[], again = false): Promise<Recorded[]> {
  const ids = [...new Set(findings.map(({ monitorId }) => monitorId))]
  const heartbeats = findings.filter(({ heartbeat }) => heartbeat).map(({ monitorId }) => monitorId)
  const memberships = [...new Set(findings.flatMap(({ membership }) => membership ?? []))]
  const doubtful = again ? findings : findings.filter(({ tick }) => tick)
  // Memberships first: who ends one waits for nobody who waits for a state.
  const [living, locked, written, subjects] = await Promise.all([
    memberships.length > 0 ? holdMemberships(client, memberships) : new Set<number>(),
    lockStates(client, ids),
    doubtful.length > 0 ? readWritten(client, doubtful) : new Set<string>(),
    heartbeats.length > 0 ? readSubjects(client, heartbeats) : new Map<number, Subject>(),
  ])
  const states = new Map(locked.map((state) => [state.monitorId, state]))
  const isMember = ({ membership }: Finding) => membership == null || living.has(membership)
  const ticks = findings.flatMap(({ tick, monitorId }) => (tick ? [{ monitorId, ...tick }] : []))
  const seen = ticks.length > 0 ? await readTicks(client, ticks) : new Map<string, SeenTick>()

  const touched = new Set<StateRow>()
  const checks: CheckRow[] = []
  const pings: PingRow[] = []
  const news: MonitorNews[] = []
  const recorded: Recorded[] = []
  for (const finding of findings) {
    const state = states.get(finding.monitorId)
    if (state && written.has(writtenKey(finding))) {
      recorded.push({ kind: 'recorded', heartbeatDueAt: state.heartbeatDueAt })
      continue
    }
    const tick = finding.tick && seen.get(tickKey({ ...finding, ...finding.tick }))
    const place = state ? placeOf(finding, state, isMember(finding), tick) : 'drop'
    if (!state || place === 'drop' || isStale(finding, state, subjects.get(finding.monitorId))) {
      recorded.push({ kind: 'stale', heartbeatDueAt: state?.heartbeatDueAt ?? null })
      continue
    }
    const why = surplusOf(finding, state, isMember(finding), tick)
    if (why !== null) {
      recorded.push({ kind: 'surplus', heartbeatDueAt: null, why })
      continue
    }
    if (finding.tick) written.add(writtenKey(finding))
    touched.add(state)
    if (finding.ping) pings.push(finding.ping)
    if (finding.result) {
      checks.push({ ...finding, result: finding.result })
      if (place === 'judge') await judge(client, state, finding, finding.result, subjects, news)
    }
    if (finding.heartbeat) moveDeadline(state, finding, subjects.get(finding.monitorId))
    recorded.push({ kind: 'recorded', heartbeatDueAt: state.heartbeatDueAt })
  }
  // Sent together; when one fails, the transaction does.
  await Promise.all([
    checks.length > 0 && insertChecks(client, checks),
    insertPings(client, pings),
    touched.size > 0 && updateStates(client, [...touched]),
    announceMonitorNews(client, news),
  ])
  return recorded
}

/** What was found under a membership that has ended is void, unless it comes from afar. */
function placeOf(finding: Finding, state: StateRow, isMember: boolean, seen: SeenTick | undefined) {
  const { checkedAt, membership } = finding
  const isNewest = !state.lastCheckedAt || state.lastCheckedAt < checkedAt
  if (!seen && !isMember) return 'drop'
  // Two regions that waited for the database write in any order: what is older than what was judged is history.
  if (!seen) return membership == null || isNewest ? 'judge' : 'history'
  return placeResult({ isMember, isNewest, isTickTaken: seen.isTaken })
}

/** Why it comes from afar without need; what does not is counted as part of its tick. */
function surplusOf(
  { tick, checkedAt, result }: Finding,
  { status, lastCheckedAt }: StateRow,
  isMember: boolean,
  seen: SeenTick | undefined,
): string | null {
  if (!tick || !seen || !result) return null
  const checkedAtMs = checkedAt.getTime()
  const isJudged = result.status !== 'pending'
  const why = surplus(
    { checkedAtMs, isJudged },
    {
      intervalMs: tick.until.getTime() - tick.from.getTime(),
      // Who was cut off made them all, and others have not.
      hasTurn: tick.hasTurn || !isMember,
      askedAtMs: tick.askedAtMs,
      // What was not judged yet is still to be answered.
      lastCheckedAtMs: status === 'pending' ? 0 : (lastCheckedAt?.getTime() ?? 0),
    },
    seen,
  )
  if (why !== null) return why
  if (isJudged) {
    seen.judged++
    seen.newestJudgedMs = Math.max(seen.newestJudgedMs, checkedAtMs)
  } else seen.unjudged++
  return null
}

function isStale(finding: Finding, state: StateRow, subject: Subject | undefined): boolean {
  if (state.revision === null || finding.stillTrue?.() === false) return true
  if (finding.heartbeat === 'silence')
    return !state.heartbeatDueAt || !subject || !wasSilent(state.heartbeatDueAt, subject)
  return finding.revision !== null && finding.revision !== state.revision
}

/** By the database's clock, and only if the job could have been heard. */
function wasSilent(dueAt: Date, { readAt, heardUntil }: Subject): boolean {
  const wasListening = heardUntil === null || heardUntil.getTime() >= dueAt.getTime() - HEARING_GAP_MS
  return dueAt <= readAt && wasListening
}

/** Applies the verdict: changes `state`, and writes the incident, its deliveries and news where there is a change. */
async function judge(
  client: Connection,
  state: StateRow,
  finding: Finding,
  result: CheckResult,
  subjects: Map<number, Subject>,
  news: MonitorNews[],
): Promise<void> {
  const { monitorId, checkedAt } = finding
  const verdict = decide(
    {
      status: state.status,
      hasOpenIncident: state.openIncidentId !== null,
      passing: state.passing,
      warnedCertificate: state.warnedCertificate,
    },
    result,
    finding.recoveryChecks,
  )
  if (state.status !== verdict.status) state.statusSince = checkedAt
  if (state.status !== verdict.status || state.passing !== verdict.passing) {
    // Only what is active is judged.
    news.push({ event: 'monitor', data: { id: monitorId, status: verdict.status, is_active: true } })
  }
  state.status = verdict.status
  state.passing = verdict.passing
  state.warnedCertificate = verdict.warnedCertificate
  if (!state.lastCheckedAt || state.lastCheckedAt < checkedAt) state.lastCheckedAt = checkedAt
  if (result.certificate) state.sslExpiresAt = result.certificate.expiresAt
  if (!verdict.incident && verdict.events.length === 0) return

  const subject = subjects.get(monitorId) ?? (await readSubjects(client, [monitorId])).get(monitorId)
  if (!subject) return
  let incidentId = state.openIncidentId
  let resolved: Awaited<ReturnType<typeof resolveIncident>> = null
  if (verdict.incident === 'open') {
    const { teamId } = subject
    incidentId = await openIncident(client, {
      teamId,
      monitorId,
      startedAt: checkedAt,
      cause: result.errorMessage,
    })
    state.openIncidentId = incidentId
    news.push({ event: 'incident', data: { id: incidentId, monitor_id: monitorId, state: 'open' } })
  } else if (verdict.incident === 'resolve' && incidentId !== null) {
    resolved = await resolveIncident(client, incidentId, checkedAt)
    state.openIncidentId = null
    news.push({ event: 'incident', data: { id: incidentId, monitor_id: monitorId, state: 'resolved' } })
  }

  const contacts = await readRecipients(client, monitorId, subject.teamId)
  for (const event of verdict.events) {
    await insertDeliveries(client, {
      teamId: subject.teamId,
      monitorId,
      incidentId: event === 'monitor.degraded' ? null : incidentId,
      event,
      alert: JSON.stringify(monitorAlert(event, subject, checkedAt, result, resolved)),
      recipients: addressees(contacts, event),
    })
  }
}

/** The next deadline: an interval after the job was heard of, or after the deadline that it missed. */
function moveDeadline(state: StateRow, finding: Finding, subject: Subject | undefined): void {
  if (!subject || finding.ping?.kind === 'start' || finding.ping?.kind === 'log') return
  const { heartbeatDueAt } = state
  const since = finding.heartbeat === 'silence' && heartbeatDueAt ? heartbeatDueAt : finding.checkedAt
  const next = deadline(since, subject.intervalSeconds)
  state.heartbeatDueAt =
    next > finding.checkedAt ? next : deadline(finding.checkedAt, subject.intervalSeconds)
}
