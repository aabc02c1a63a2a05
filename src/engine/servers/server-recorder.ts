import { MAX_BACK_MS } from '../../core/maintenance/team-cover.ts'
import type { MachineReport } from '../../core/servers/machine-report.ts'
import type { ReportFate } from '../../core/servers/verdict.ts'
import { sizeOf } from '../../core/sharing/shared.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertStatusChanges } from '../../store/history/status-time.ts'
import { announceSubjectNews } from '../../store/news.ts'
import {
  type ChangedState,
  findAskedServers,
  insertSamples,
  lockServerStates,
  readServerSubjects,
  type ServerStateRow,
  type ServerSubject,
  updateServerStates,
} from '../../store/servers/recording.ts'
import type { CoverOf, KnownWindows } from '../maintenance/known-windows.ts'
import type { RecordingState } from '../recording/ability.ts'
import { type Batches, overBatches, type RecorderDeps, withoutPipelining } from '../recording/batches.ts'
import {
  NOTHING,
  type RecordedServer,
  reportOutcome,
  type ServerChange,
  type ServerOutcome,
  silenceOutcome,
} from './judge-server.ts'

/** How long a report waits for others: an agent does not mind, and a transaction each would cost the most. */
const GATHER_MS = 20
const REPORT_PLACES = sizeOf('serverReports')

/** News of a server: a report of its machine, or that none came. */
export type ServerFinding = ReportFinding | { kind: 'silence'; serverId: number }
type ReportFinding = { kind: 'report'; tokenHash: Buffer; report: MachineReport; receivedAt: Date }

/** Each resolves once the finding and all that follows from it are durable. */
export type ServerRecorder = {
  recordReport(finding: Omit<ReportFinding, 'kind'>): Promise<ReportFate>
  recordSilence(serverId: number): Promise<Pick<RecordedServer, 'kind' | 'dueAt'>>
  /** Writes what is waiting and stops. */
  close(): Promise<void>
}

/** Records reports and silences of servers: samples, states, incidents and deliveries together. */
export function createServerRecorder(...deps: RecorderDeps): ServerRecorder & RecordingState {
  return overBatches(
    deps,
    (windows) => ({
      recordBatch: withoutPipelining((client, findings) => recordServers(client, findings, windows)),
      asTrial: asReportedNow,
    }),
    (batches: Batches<ServerFinding, RecordedServer>): Omit<ServerRecorder, 'close'> => ({
      async recordReport(finding) {
        if (batches.waiting >= REPORT_PLACES) return { kind: 'busy', wantsTop: false }
        const recorded = await batches.record({ kind: 'report', ...finding }, GATHER_MS)
        // Only a silence is stale or covered.
        return recorded as ReportFate
      },
      recordSilence: (serverId) => batches.record({ kind: 'silence', serverId }, 0),
    }),
  )
}

function asReportedNow(finding: ServerFinding, now: Date): ServerFinding {
  return finding.kind === 'report' ? { ...finding, receivedAt: now } : finding
}

/** Knowledge of the database about a batch; each finding is judged by it as the ones before have changed it. */
type BatchKnowledge = {
  states: Map<number, ServerStateRow>
  subjects: { byToken: Map<string, ServerSubject>; byId: Map<number, ServerSubject> }
  coverOf: CoverOf
}

/** Writes a batch over a pipelined connection. A report that an earlier try has written is a replay. */
async function recordServers(
  client: Connection,
  findings: ServerFinding[],
  windows: KnownWindows,
): Promise<RecordedServer[]> {
  const known = await readKnowledge(client, findings, windows)
  const before = new Map(known.states)
  const changes: ServerChange[] = []
  const recorded: RecordedServer[] = []
  for (const finding of findings) {
    const { change, ...outcome } = await outcomeOf(client, finding, known)
    recorded.push(outcome)
    if (!change) continue
    changes.push(change)
    known.states.set(change.state.serverId, change.state)
  }
  await writeChanges(client, before, changes)
  return recorded
}

async function readKnowledge(
  client: Connection,
  findings: ServerFinding[],
  windows: KnownWindows,
): Promise<BatchKnowledge> {
  const tokens = new Map<string, Buffer>()
  const ids = new Set<number>()
  for (const finding of findings) {
    if (finding.kind === 'silence') ids.add(finding.serverId)
    else tokens.set(tokenKey(finding.tokenHash), finding.tokenHash)
  }
  const asked = { tokenHashes: [...tokens.values()], serverIds: [...ids] }
  const serverIds = await findAskedServers(client, asked)
  // Sent together: the second one sees the servers as they are once the states are locked.
  const [locked, subjects] = await Promise.all([
    lockServerStates(client, serverIds),
    readServerSubjects(client, asked),
  ])
  const states = new Map(locked.map((state) => [state.serverId, state]))
  return {
    states,
    subjects: {
      byToken: new Map(subjects.map((subject) => [tokenKey(subject.tokenHash), subject])),
      byId: new Map(subjects.map((subject) => [subject.serverId, subject])),
    },
    coverOf: await readCovers(client, subjects, states, windows),
  }
}

/** Most batches have nothing to read: few teams have windows. */
async function readCovers(
  client: Connection,
  subjects: ServerSubject[],
  states: Map<number, ServerStateRow>,
  windows: KnownWindows,
): Promise<CoverOf> {
  const planned = subjects.filter(({ maintenanceRevision }) => maintenanceRevision > 0)
  const [first] = planned
  if (!first) return () => null
  const heardMs = planned.map(({ serverId }) => states.get(serverId)?.lastReportAt?.getTime() ?? Infinity)
  const fromMs = Math.max(Math.min(first.readAt.getTime(), ...heardMs), first.readAt.getTime() - MAX_BACK_MS)
  const ids = planned.map(({ serverId }) => serverId)
  return windows.read(client, 'server', ids, new Date(fromMs))
}

function tokenKey(hash: Buffer): string {
  return hash.toString('latin1')
}

async function outcomeOf(
  client: Connection,
  finding: ServerFinding,
  known: BatchKnowledge,
): Promise<ServerOutcome> {
  const server =
    finding.kind === 'report'
      ? known.subjects.byToken.get(tokenKey(finding.tokenHash))
      : known.subjects.byId.get(finding.serverId)
  const state = server && known.states.get(server.serverId)
  if (!server || !state) return { ...NOTHING, kind: 'unknown' }
  return finding.kind === 'report'
    ? reportOutcome(client, finding, server, state, known.coverOf)
    : silenceOutcome(client, server, state, known.coverOf)
}

/** Statements are sent together; when one fails, the transaction does. */
async function writeChanges(
  client: Connection,
  before: Map<number, ServerStateRow>,
  changes: ServerChange[],
): Promise<void> {
  if (changes.length === 0) return
  const last = new Map(changes.map(({ state }) => [state.serverId, state]))
  const states = [...last.values()].map((state) => withWrites(state, before.get(state.serverId)))
  const samples = changes.flatMap(({ sample }) => sample ?? [])
  const statusChanges = changes.flatMap(({ statusChange }) => statusChange ?? [])
  const news = changes.flatMap((change) => change.news)
  await Promise.all([
    samples.length > 0 && insertSamples(client, samples),
    updateServerStates(client, states),
    statusChanges.length > 0 && insertStatusChanges(client, 'server', statusChanges),
    news.length > 0 && announceSubjectNews(client, news),
  ])
}

function withWrites(state: ServerStateRow, before: ServerStateRow | undefined): ChangedState {
  const differs = (part: keyof ChangedState['writes']) => state[part] !== before?.[part]
  return {
    ...state,
    writes: {
      machine: differs('machine'),
      conditions: differs('conditions'),
      trends: differs('trends'),
      otherMachine: differs('otherMachine'),
      hosted: differs('hosted'),
    },
  }
}
