import { withTime } from '../../core/expectations/response-times.ts'
import type { judgeOverChecks } from '../../core/monitors/options/over-checks.ts'
import type { Connection } from '../../postgres/database.ts'
import { readResponseTimes, type StateRow } from '../../store/monitors/recording.ts'
import type { Finding } from './finding.ts'

/** How a batch judges by the checks before, and their times where no state has them yet; null where no finding asks for it. */
export type History = { judge: typeof judgeOverChecks; times: ReadonlyMap<number, readonly number[]> } | null

/**
 * Reads what findings under assertions about several checks are judged by. States keep the times, so that only the first finding of
 * a monitor since it has such an assertion reads its checks. The rule is loaded for the first of them.
 */
export async function readHistory(
  client: Connection,
  findings: readonly Finding[],
  states: ReadonlyMap<number, StateRow>,
): Promise<History> {
  const judged = findings.filter(({ assertions }) => assertions).map(({ monitorId }) => monitorId)
  if (judged.length === 0) return null
  const first = [...new Set(judged)].filter((id) => states.get(id)?.responseTimes === null)
  const [{ judgeOverChecks: judge }, times] = await Promise.all([
    import('../../core/monitors/options/over-checks.ts'),
    first.length > 0 ? readResponseTimes(client, first) : new Map<number, number[]>(),
  ])
  return { judge, times }
}

/** A finding by all assertions of its monitor, and the state with its time. One that came late is of no checks but its own. */
export function underHistory(
  finding: Finding,
  state: StateRow,
  history: History,
  isJudged: boolean,
): { finding: Finding; state: StateRow } {
  const { monitorId, assertions, patience, result } = finding
  if (!isJudged || !result) return { finding, state }
  if (!assertions || !history)
    return { finding, state: state.responseTimes === null ? state : { ...state, responseTimes: null } }
  const before = state.responseTimes ?? history.times.get(monitorId) ?? []
  const { responseTimeMs } = result
  const times = responseTimeMs === null ? before : withTime(before, responseTimeMs)
  const isInverted = patience?.isInverted ?? false
  return {
    finding: { ...finding, result: history.judge(result, assertions, { times, isInverted }) },
    state: { ...state, responseTimes: times },
  }
}
