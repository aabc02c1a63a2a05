import { NO_CONFIRMATION } from '../../core/monitors/confirmation.ts'
import { countAttempt } from '../../core/monitors/options/attempts.ts'
import { inverted } from '../../core/monitors/options/inverted.ts'
import { patienceOf } from '../../core/monitors/options/patience.ts'
import type { StateRow, Subject } from '../../store/monitors/recording.ts'
import type { Finding } from './finding.ts'

type Counted = { finding: Finding; state: StateRow; isAttempt: boolean }

/**
 * A finding as it counts under the patience with its monitor, and the state with its attempts: a failure that is not the last
 * of its attempts is `pending`. A probe's finding is inverted where it was made; a ping and a silence are here.
 */
export function underPatience(
  finding: Finding,
  state: StateRow,
  subject: Subject | undefined,
  isJudged: boolean,
): Counted {
  if (finding.result === null) return { finding, state, isAttempt: false }
  if (finding.heartbeat) return { finding: underOptions(finding, subject?.options), state, isAttempt: false }
  const patience = finding.patience ?? patienceOf(null, NO_CONFIRMATION)
  const {
    status,
    passing,
    unmet,
    failedAttempts: failed,
    unwellAttempts: unwell,
    nextAttemptAt: nextAt,
  } = state
  const counted = countAttempt(
    { status, passing, unmet, failed, unwell, nextAt },
    finding.result,
    finding.checkedAt,
    patience,
  )
  const { attempts } = counted
  return {
    finding: counted.result === finding.result ? finding : { ...finding, result: counted.result },
    state: isJudged
      ? {
          ...state,
          failedAttempts: attempts.failed,
          unwellAttempts: attempts.unwell,
          nextAttemptAt: attempts.nextAt,
        }
      : state,
    isAttempt: !counted.isLast,
  }
}

/** The report of a job, or its silence. The end of a window tells again of a failure that was judged before. */
function underOptions(finding: Finding, options: Subject['options']): Finding {
  const { result, heartbeat } = finding
  const patience = patienceOf(options, NO_CONFIRMATION)
  const isTurned = patience.isInverted && result !== null && heartbeat !== 'end'
  return { ...finding, patience, ...(isTurned && { result: inverted(result) }) }
}
