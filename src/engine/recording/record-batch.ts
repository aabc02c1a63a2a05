import { effectiveDeadline } from '../../core/maintenance/deadline.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { deadlineAfterPing, deadlineAfterSilence } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import { endOfRuns, type JobRuns } from '../../core/monitors/heartbeats/job-runs.ts'
import {
  countInTick,
  type PlacedBy,
  type PlacedFinding,
  type Placement,
  place,
  type TickOnRecord,
} from '../../core/probing/placing.ts'
import type { Connection, PipelinedEnd } from '../../postgres/database.ts'
import {
  type AnswerRow,
  type NewestAnswer,
  readNewestAnswers,
  writeAnswers,
} from '../../store/monitors/failing-answers.ts'
import {
  type CheckRow,
  insertChecks,
  insertPings,
  lockStates,
  MOVED,
  moveStates,
  type PingRow,
  readSubjects,
  readWritten,
  type StateRow,
  type Subject,
  updateStates,
  writtenKey,
} from '../../store/monitors/recording.ts'
import { announceMonitorNews, type MonitorNews } from '../../store/news.ts'
import { holdMemberships } from '../../store/probing/memberships.ts'
import { readTicks, tickKey } from '../../store/probing/remote-probes.ts'
import type { CoverOf, KnownWindows } from '../maintenance/known-windows.ts'
import { answersToWrite } from './answers.ts'
import { maintenanceAt, plannedOf, readCovers } from './covers.ts'
import type { Finding, Recorded } from './finding.ts'
import { holdGroups, judgeGroups, readMembersAsked } from './groups.ts'
import { readJobRuns, withOverrun, withPing } from './job-runs.ts'
import { hasConsequences, type JudgedFinding, judge, writeConsequences } from './judge.ts'
import { judgeUnderFlapping } from './under-flapping.ts'
import { type History, readHistory, underHistory } from './under-history.ts'
import { judgeUnderParents, writeHold } from './under-parents.ts'
import { underPatience } from './under-patience.ts'

/** Knowledge of the database about a batch; each finding is judged by it as the ones before have changed it. */
type BatchKnowledge = {
  states: Map<number, StateRow>
  newestAnswers: Map<number, NewestAnswer>
  livingMemberships: Set<number>
  written: Set<string>
  subjects: Map<number, Subject>
  ticks: Map<string, TickOnRecord>
  coverOf: CoverOf
  runs: Map<number, JobRuns>
  history: History
}

/** The rows that one finding changes or adds. */
type Change = {
  state: StateRow
  /** False where only the times that every finding moves have changed. */
  isChanged: boolean
  checks: CheckRow[]
  pings: PingRow[]
  answers: AnswerRow[]
  news: MonitorNews[]
}

/**
 * Writes a batch over a pipelined connection; nothing before `begun` holds. `again` when an earlier try may have been
 * committed without our knowing.
 */
export async function recordBatch(
  client: Connection,
  findings: Finding[],
  windows: KnownWindows,
  { begun, again }: { begun: Promise<unknown>; again: boolean },
): Promise<PipelinedEnd<Recorded[]>> {
  const [known] = await Promise.all([readKnowledge(client, findings, windows, again), begun])
  const before = new Map(known.states)
  const groups = await holdGroups(client, findings, known, windows)
  const changes: Change[] = []
  const recorded: Recorded[] = []
  for (const finding of findings) {
    if (finding.isGroup) {
      recorded.push({ kind: 'recorded', heartbeatDueAt: null })
      continue
    }
    const state = stateBefore(finding, known)
    if (state && known.written.has(writtenKey(finding))) {
      const isAttempt = state.nextAttemptAt !== null
      recorded.push({
        kind: 'recorded',
        heartbeatDueAt: state.heartbeatDueAt,
        ...(isAttempt && { isAttempt }),
      })
      continue
    }
    const placed = placedPartOf(finding)
    const placement: Placement =
      state && !isToldAlready(finding, state, known)
        ? place(placed, state, seenOf(finding, known))
        : { kind: 'stale' }
    if (!state || placement.kind === 'stale') {
      recorded.push({ kind: 'stale', heartbeatDueAt: state?.heartbeatDueAt ?? null })
      continue
    }
    if (placement.kind === 'surplus') {
      recorded.push({ kind: 'surplus', heartbeatDueAt: null, why: placement.why })
      continue
    }
    const isJudged = placement.kind === 'judge'
    const told = withOverrun(finding, state, known)
    const judged = underHistory(told, state, known.history, isJudged)
    const subject = known.subjects.get(finding.monitorId)
    const counted = underPatience(judged.finding, judged.state, subject, isJudged)
    const change = await changeBy(client, counted.finding, counted.state, known, isJudged)
    changes.push({ ...change, isChanged: differs(state, change.state) })
    const { isAttempt } = counted
    recorded.push({
      kind: 'recorded',
      heartbeatDueAt: change.state.heartbeatDueAt,
      ...(isAttempt && { isAttempt }),
    })
    learn(known, finding, isAttempt ? { ...placed, status: 'pending' } : placed, change.state)
  }
  if (groups)
    await judgeGroups(groups, before, known.states, async (state, finding) => {
      const change = await changeBy(client, finding, state, { ...known, coverOf: groups.coverOf }, true)
      changes.push({ ...change, isChanged: differs(state, change.state) })
      known.states.set(finding.monitorId, change.state)
      return change.state
    })
  return { result: recorded, written: writeChanges(client, changes, known) }
}

/** The state before a finding; a silence has the deadline that it is judged by. */
function stateBefore({ monitorId, heartbeat }: Finding, known: BatchKnowledge): StateRow | undefined {
  const state = known.states.get(monitorId)
  const subject = heartbeat === 'silence' ? known.subjects.get(monitorId) : undefined
  const planned = plannedOf(state, subject)
  if (!state || !subject || !planned) return state
  return { ...state, heartbeatDueAt: effectiveDeadline(planned, known.coverOf(monitorId), subject.readAt) }
}

async function readKnowledge(
  client: Connection,
  findings: Finding[],
  windows: KnownWindows,
  again: boolean,
): Promise<BatchKnowledge> {
  const members = await readMembersAsked(client, findings)
  const found = findings.filter(({ isGroup }) => !isGroup).map(({ monitorId }) => monitorId)
  const ids = [...new Set([...found, ...members])]
  const heartbeats = findings.filter(({ heartbeat }) => heartbeat).map(({ monitorId }) => monitorId)
  const memberships = [...new Set(findings.flatMap(({ membership }) => membership ?? []))]
  const doubtful = (again ? findings : findings.filter(({ tick }) => tick)).filter(({ isGroup }) => !isGroup)
  // Memberships come first: a statement that ends one must not wait for one that waits for a state.
  const answered = findings.filter(({ result }) => result?.answer).map(({ monitorId }) => monitorId)
  const [livingMemberships, locked, written, subjects] = await Promise.all([
    memberships.length > 0 ? holdMemberships(client, memberships) : new Set<number>(),
    lockStates(client, ids),
    doubtful.length > 0 ? readWritten(client, doubtful) : new Set<string>(),
    heartbeats.length > 0 ? readSubjects(client, heartbeats) : new Map<number, Subject>(),
  ])
  const states = new Map(locked.map((state) => [state.monitorId, state]))
  const asked = findings.flatMap(({ tick, monitorId }) => (tick ? [{ monitorId, ...tick }] : []))
  const [ticks, coverOf, newestAnswers, runs, history] = await Promise.all([
    asked.length > 0 ? readTicks(client, asked) : new Map<string, TickOnRecord>(),
    readCovers(client, findings, { states, subjects }, windows),
    answered.length > 0 ? readNewestAnswers(client, answered) : new Map<number, NewestAnswer>(),
    readJobRuns(client, findings, subjects),
    readHistory(client, findings, states),
  ])
  return { states, livingMemberships, written, subjects, ticks, coverOf, newestAnswers, runs, history }
}

/**
 * Whether the end of a window, or of the time that a held alert waits for, is no news of a heartbeat any more: another process
 * told it, or a ping came.
 */
function isToldAlready(finding: Finding, state: StateRow, { coverOf }: BatchKnowledge): boolean {
  if (finding.heartbeat !== 'end') return false
  if (state.status === 'down') return state.heldSince === null
  return state.status !== 'maintenance' || maintenanceAt(finding, state, coverOf).applies
}

function placedPartOf({ revision, checkedAt, result, heartbeat, stillTrue, tick }: Finding): PlacedFinding {
  return {
    revision,
    checkedAt,
    status: result?.status ?? null,
    isSilence: heartbeat === 'silence',
    isStillTrue: stillTrue?.() !== false,
    tick: tick
      ? {
          intervalMs: tick.until.getTime() - tick.from.getTime(),
          hasTurn: tick.hasTurn,
          askedAtMs: tick.askedAtMs,
        }
      : null,
  }
}

function seenOf(finding: Finding, { livingMemberships, ticks, subjects }: BatchKnowledge): PlacedBy {
  const { membership, monitorId, tick } = finding
  const subject = subjects.get(monitorId)
  return {
    membership: membership == null ? 'none' : livingMemberships.has(membership) ? 'living' : 'ended',
    tick: (tick && ticks.get(tickKey({ monitorId, ...tick }))) ?? null,
    reachability: subject ? { now: subject.readAt, reachableUntil: subject.heardUntil } : null,
  }
}

const MOVES_DEADLINE: ReadonlySet<string> = new Set(['ping', 'silence'])

/** Incidents and their deliveries are written at once, since the next verdict needs their ids; the rest is returned. */
async function changeBy(
  client: Connection,
  finding: Finding,
  before: StateRow,
  known: BatchKnowledge,
  isJudged: boolean,
): Promise<Omit<Change, 'isChanged'>> {
  const { monitorId, result, ping, heartbeat } = finding
  const { subjects, coverOf, runs } = known
  const maintenance = maintenanceAt(finding, before, coverOf)
  const checks = result ? [{ ...finding, result: asRecorded(result, maintenance.applies) }] : []
  const pings = ping ? [ping] : []
  const { state, news } =
    result && isJudged
      ? await judgeAndWrite(client, before, { ...finding, result, maintenance }, known)
      : { state: before, news: [] }
  const answers = answersOf(finding, before, state)
  const subject = subjects.get(monitorId)
  if (!heartbeat || !MOVES_DEADLINE.has(heartbeat) || !subject) return { state, checks, pings, answers, news }
  const heartbeatDueAt = deadlineAfter(state, finding, subject, runs.get(monitorId))
  return { state: { ...state, heartbeatDueAt }, checks, pings, answers, news }
}

/** The answer of a check that failed, with the incident that the check opened. */
function answersOf(
  { monitorId, checkedAt, result }: Finding,
  before: StateRow,
  after: StateRow,
): AnswerRow[] {
  if (!result?.answer) return []
  const { answer, httpStatusCode } = result
  const isOpened = before.openIncidentId === null && after.openIncidentId !== null
  const incidentId = isOpened ? after.openIncidentId : null
  return [{ monitorId, incidentId, checkedAt, httpStatusCode, answer }]
}

/** A failure under a window keeps its reason and everything else that was measured. */
function asRecorded(result: CheckResult, underMaintenance: boolean): CheckRow['result'] {
  return result.status === 'down' && underMaintenance ? { ...result, status: 'maintenance' } : result
}

async function judgeAndWrite(
  client: Connection,
  before: StateRow,
  finding: JudgedFinding,
  known: BatchKnowledge,
): Promise<Pick<Change, 'state' | 'news'>> {
  const own = judge(before, finding)
  if (!hasConsequences(own.verdict)) return own
  const underParents = await judgeUnderParents(client, before, finding, own, known)
  const judged = await judgeUnderFlapping(client, before, finding, underParents)
  const { judgement, subject, change } = judged
  const { state, news } = judgement
  if (!subject) return { state, news }
  const incident = await writeConsequences(client, judgement, finding, subject, change)
  await writeHold(client, incident.openIncidentId, judged)
  return {
    state: { ...state, openIncidentId: incident.openIncidentId },
    news: [...news, ...incident.news],
  }
}

/** The next deadline: by when the job was heard of, or by the deadline that it missed; a run under way may have to end before. */
function deadlineAfter(
  state: StateRow,
  finding: Finding,
  subject: Subject,
  runs: JobRuns | undefined,
): Date | null {
  const { ping, heartbeat, checkedAt } = finding
  const { heartbeatDueAt } = state
  if (ping?.kind === 'log' || (ping?.kind === 'start' && !runs)) return heartbeatDueAt
  const next =
    heartbeat === 'silence' && heartbeatDueAt
      ? deadlineAfterSilence(subject, heartbeatDueAt, checkedAt)
      : deadlineAfterPing(subject, checkedAt)
  const ends = runs ? endOfRuns(withPing(runs, ping), checkedAt) : null
  return ends && (!next || ends < next) ? ends : next
}

const MOVING: ReadonlySet<string> = new Set(MOVED)

/** Whether more of a state has changed than the times that every finding moves. */
function differs(before: StateRow, after: StateRow): boolean {
  // A list of the keys of each state would be a tenth of what a finding keeps.
  for (const key in after)
    if (!MOVING.has(key) && !isSame(before[key as keyof StateRow], after[key as keyof StateRow])) return true
  return false
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other
}

function learn(known: BatchKnowledge, finding: Finding, placed: PlacedFinding, state: StateRow): void {
  known.states.set(finding.monitorId, state)
  const runs = known.runs.get(finding.monitorId)
  if (runs) known.runs.set(finding.monitorId, withPing(runs, finding.ping))
  if (!finding.tick) return
  known.written.add(writtenKey(finding))
  const key = tickKey({ ...finding, ...finding.tick })
  const tick = known.ticks.get(key)
  if (tick) known.ticks.set(key, countInTick(placed, tick))
}

/** All statements are sent at once, for COMMIT follows them; when one fails, the transaction does. */
function writeChanges(
  client: Connection,
  changes: Change[],
  { newestAnswers }: BatchKnowledge,
): Promise<unknown> {
  const states = new Map(changes.map(({ state }) => [state.monitorId, state]))
  const changed = new Set(changes.flatMap(({ state, isChanged }) => (isChanged ? state.monitorId : [])))
  const moved = [...states.values()].filter(({ monitorId }) => !changed.has(monitorId))
  const others = [...states.values()].filter(({ monitorId }) => changed.has(monitorId))
  const checks = changes.flatMap((change) => change.checks)
  const answers = answersToWrite(
    changes.flatMap((change) => change.answers),
    newestAnswers,
  )
  return Promise.all([
    checks.length > 0 && insertChecks(client, checks),
    insertPings(
      client,
      changes.flatMap((change) => change.pings),
    ),
    answers.length > 0 && writeAnswers(client, answers),
    moved.length > 0 && moveStates(client, moved),
    others.length > 0 && updateStates(client, others),
    announceMonitorNews(
      client,
      changes.flatMap((change) => change.news),
    ),
  ])
}
