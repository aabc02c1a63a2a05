import { isDeepStrictEqual } from 'node:util'
import { formatInstant } from '../../core/instant.ts'
import type { News } from '../../core/live-event.ts'
import { deadlineOutside } from '../../core/maintenance/deadline.ts'
import { maintenanceAt } from '../../core/maintenance/maintenance-at.ts'
import type { SubjectCover } from '../../core/maintenance/team-cover.ts'
import { wasSilent } from '../../core/probing/placing.ts'
import { conditionKey, thresholdsOf } from '../../core/servers/condition.ts'
import { packSample } from '../../core/servers/history/sample-code.ts'
import { hostedAfter } from '../../core/servers/hosted.ts'
import type { MachineReport, TopProcess } from '../../core/servers/machine-report.ts'
import {
  measure,
  packCounters,
  unpackCounters,
  withFactsBefore,
  withPartsBefore,
} from '../../core/servers/measure.ts'
import {
  judgeReport,
  judgeSilence,
  placeReport,
  type ReportFate,
  type ServerJudgement,
} from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import type { StatusChange } from '../../store/history/status-time.ts'
import { openIncident, resolveIncident } from '../../store/incidents/recording.ts'
import type { SampleRow, ServerStateRow, ServerSubject } from '../../store/servers/recording.ts'
import { tellBeginning, tellEnd } from '../alerting/damp.ts'
import { culpritsOf, serverRecovery, serverTrouble } from '../alerting/server-alert.ts'
import type { CoverOf } from '../maintenance/known-windows.ts'
import { closeEscalation } from '../on-call/close-escalation.ts'

/**
 * `stale`: a silence that is over, or not due by the database's clock. `covered`: one inside a maintenance window, to be
 * looked at again.
 */
export type RecordedServer = {
  kind: ReportFate['kind'] | 'stale' | 'covered'
  wantsTop: boolean
  /** When a silence that is stale is due, unless a report comes before. */
  dueAt: Date | null
}

/** The rows that one finding changes or adds. */
export type ServerChange = {
  state: ServerStateRow
  sample: SampleRow | null
  statusChange: StatusChange | null
  news: News[]
}

export type ServerOutcome = RecordedServer & { change: ServerChange | null }

/** All of an outcome that is nothing but its kind. */
export const NOTHING = { wantsTop: false, dueAt: null, change: null } as const

/** Judges a report by the state before it; incidents and their deliveries are written at once, the rest is returned. */
export async function reportOutcome(
  client: Connection,
  { report, receivedAt }: { report: MachineReport; receivedAt: Date },
  server: ServerSubject,
  before: ServerStateRow,
  coverOf: CoverOf,
): Promise<ServerOutcome> {
  const counters = before.counters && unpackCounters(before.counters)
  const placement = placeReport(report, { ...before, counters }, receivedAt)
  if (placement === 'replay') return { ...NOTHING, kind: 'replay' }
  if (placement === 'other') {
    const otherMachine = { host_name: report.machine.host_name, at: formatInstant(receivedAt) }
    return { ...NOTHING, kind: 'other', change: changeOfState({ ...before, otherMachine }) }
  }
  const { failedUnits, top } = report
  const machine = withFactsBefore(report.machine, before.machine)
  const { sample, counters: counted } = measure(report, counters, receivedAt)
  const thresholds = thresholdsOf(server.thresholds)
  const heard = { at: receivedAt, lastReportAt: before.lastReportAt }
  // Most machines have none, or were not asked to tell of them.
  const isHosting = before.hosted !== null || report.hosted !== null
  const hosted = isHosting ? hostedAfter(before.hosted, report.hosted, heard) : null
  const judged = { sample, cpus: machine.cpus, receivedAt, failedUnits, hosted }
  const planned = maintenanceAt(coverOf(server.serverId), server.serverId, receivedAt, before)
  const judgement = judgeReport(before, judged, thresholds, planned)
  await writeJudgement(client, judgement, { server, hostName: machine.host_name, top, at: receivedAt })
  const silentAt = new Date(receivedAt.getTime() + thresholds.silent.seconds * 1_000)
  const state: ServerStateRow = {
    ...judgedState(before, judgement, receivedAt),
    lastReportAt: laterOf(before.lastReportAt, receivedAt),
    silentAt: laterOf(before.silentAt, silentAt),
    machine: isSame(machine, before.machine) ? before.machine : machine,
    counters: packCounters(counted),
    latest: withPartsBefore(sample, before.latest, counters, counted),
    hosted: isSame(hosted, before.hosted) ? before.hosted : hosted,
  }
  const content = packSample(sample)
  return {
    ...NOTHING,
    kind: 'recorded',
    wantsTop: judgement.wantsTop,
    change: {
      ...changeTo(before, state, server, receivedAt),
      sample: { serverId: server.serverId, at: receivedAt, content },
    },
  }
}

function laterOf(one: Date | null, other: Date): Date {
  return one && one > other ? one : other
}

/** The order of members, which the database does not keep, makes no difference. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/** Judges that no report came, by the database's clock, and only where one could have reached us. */
export async function silenceOutcome(
  client: Connection,
  server: ServerSubject,
  before: ServerStateRow,
  coverOf: CoverOf,
): Promise<ServerOutcome> {
  const { serverId, readAt, heardUntil } = server
  const { lastReportAt, machine } = before
  if (!before.silentAt || !lastReportAt) return { ...NOTHING, kind: 'stale' }
  const thresholds = thresholdsOf(server.thresholds)
  const limitAt = new Date(lastReportAt.getTime() + thresholds.silent.seconds * 1_000)
  // The limit may have been raised meanwhile; our own downtime has moved the time of the state.
  const silentAt = before.silentAt > limitAt ? before.silentAt : limitAt
  const cover = coverOf(serverId)
  const dueAt = dueOutside(cover, { serverId, lastReportAt, silentAt, now: readAt })
  if (!wasSilent(dueAt, { now: readAt, reachableUntil: heardUntil })) {
    const isMoved = silentAt > before.silentAt
    const change = isMoved ? changeOfState({ ...before, silentAt }) : null
    return { ...NOTHING, kind: 'stale', dueAt, change }
  }
  const planned = maintenanceAt(cover, serverId, readAt, before)
  const judgement = judgeSilence(before, readAt, thresholds, planned)
  const hostName = machine?.host_name ?? null
  await writeJudgement(client, judgement, { server, hostName, top: [], at: readAt })
  const state: ServerStateRow = {
    ...judgedState(before, judgement, readAt),
    // Looked at again until the window ends, since what still holds is told then.
    silentAt: planned.applies ? before.silentAt : null,
  }
  return {
    ...NOTHING,
    kind: planned.applies ? 'covered' : 'recorded',
    change: changeTo(before, state, server, readAt),
  }
}

/** Time in windows does not count against a server. */
function dueOutside(
  cover: SubjectCover | null,
  {
    serverId,
    lastReportAt,
    silentAt,
    now,
  }: { serverId: number; lastReportAt: Date; silentAt: Date; now: Date },
): Date {
  if (!cover) return silentAt
  const intervalMs = silentAt.getTime() - lastReportAt.getTime()
  const spansOf = (from: Date, to: Date) => cover.spansOf(serverId, from, to)
  return deadlineOutside({ since: lastReportAt, intervalMs, now }, spansOf)
}

type Consequences = {
  server: ServerSubject
  hostName: string | null
  top: TopProcess[]
  at: Date
}

/**
 * Writes the incidents that a judgement ends and begins, with their deliveries. IDs of new ones go into their conditions,
 * which is why this comes before the state is written.
 */
async function writeJudgement(
  client: Connection,
  judgement: Pick<ServerJudgement, 'begins' | 'ends' | 'conditions'>,
  { server, hostName, top, at }: Consequences,
): Promise<void> {
  const { begins, ends } = judgement
  if (begins.length === 0 && ends.length === 0) return
  const { serverId, teamId, flapRule: rule } = server
  const alerted = { ...server, hostName }
  const about = { teamId, subject: { kind: 'server', id: serverId } } as const

  for (const ended of ends) {
    const incidentId = ended.condition.incident_id
    if (incidentId === null) continue
    const ref = { kind: 'server', id: incidentId } as const
    const resolved = await resolveIncident(client, ref, at)
    if (!resolved) continue
    const told = await closeEscalation(client, ref)
    const alert = serverRecovery(alerted, ended, resolved, judgement)
    const change = { about: conditionKey(ended.condition), at, isNew: true }
    const { isUntold } = resolved
    await tellEnd(client, { rule, change, isUntold }, { ...about, alert, incidentId, told })
  }
  for (const begun of begins) {
    const { condition, cause, startedAt } = begun
    const processes = culpritsOf(condition, top)
    const incidentId = await openIncident(client, {
      kind: 'server',
      teamId,
      subjectId: serverId,
      about: conditionKey(condition),
      warnsOnly: condition.warns_only,
      startedAt,
      cause,
      processes,
    })
    condition.incident_id = incidentId
    const alert = serverTrouble(alerted, begun, processes)
    const change = { about: conditionKey(condition), at: startedAt, isNew: true }
    // A warning wakes nobody.
    const telling = { ...about, alert, incidentId, opens: !condition.warns_only }
    await tellBeginning(client, { rule, change }, telling)
  }
}

/** The state with a judgement applied to it. */
function judgedState(before: ServerStateRow, judgement: ServerJudgement, at: Date): ServerStateRow {
  const { status, conditions, trends } = judgement
  const isQuiet = conditions.length === 0 && before.conditions.length === 0
  return {
    ...before,
    status,
    statusSince: status === before.status ? before.statusSince : at,
    conditions: isQuiet ? before.conditions : conditions,
    trends,
  }
}

/** The change from one state to another, with the news of it. */
function changeTo(
  before: ServerStateRow,
  state: ServerStateRow,
  server: ServerSubject,
  at: Date,
): ServerChange {
  const { serverId, teamId: team_id } = server
  const { status } = state
  const change = changeOfState(state)
  if (before.lastReportAt !== state.lastReportAt) {
    change.news.push({ team_id, event: 'server_report', data: { id: serverId } })
  }
  const isOther = status !== before.status
  if (isOther || troubleOf(state) !== troubleOf(before)) {
    change.news.push({ team_id, event: 'server', data: { id: serverId, status } })
  }
  return isOther ? { ...change, statusChange: { subjectId: serverId, at, status } } : change
}

/** The part of conditions that people see: a second one begins and ends under the same status. */
function troubleOf({ conditions }: ServerStateRow): string {
  return conditions
    .filter(({ phase }) => phase !== 'beginning')
    .map((condition) => `${conditionKey(condition)} ${condition.incident_id}`)
    .join()
}

/** A change that is no news. */
function changeOfState(state: ServerStateRow): ServerChange {
  return { state, sample: null, statusChange: null, news: [] }
}
