import type { News } from '../../core/live-event.ts'
import { conditionKey } from '../../core/servers/condition.ts'
import {
  DEFAULT_THRESHOLDS,
  type ThresholdChanges,
  type Thresholds,
  thresholdsOf,
} from '../../core/servers/threshold.ts'
import type { ServerJudgement } from '../../core/servers/verdict.ts'
import type { StatusChange } from '../../store/history/status-time.ts'
import type { SampleRow, ServerStateRow, ServerSubject } from '../../store/servers/recording.ts'
import type { RecordedServer } from './server-finding.ts'

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

/** The state with a judgement applied to it. */
export function judgedState(before: ServerStateRow, judgement: ServerJudgement, at: Date): ServerStateRow {
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
export function changeTo(
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
export function changeOfState(state: ServerStateRow): ServerChange {
  return { state, sample: null, statusChange: null, news: [] }
}

/** Most servers have the defaults, which need no reading. */
export function thresholdsNow(changes: ThresholdChanges): Thresholds {
  return Object.keys(changes).length === 0 ? DEFAULT_THRESHOLDS : thresholdsOf(changes)
}
