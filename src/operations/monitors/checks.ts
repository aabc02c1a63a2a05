import { MAX_CHECKS } from '../../contract/history.ts'
import { CHECKS_PER_PAGE } from '../../contract/monitor-pages.ts'
import type { CheckRecord } from '../../core/history/check-chunk.ts'
import { windowStart } from '../../core/history/history-span.ts'
import type { CheckDetail } from '../../core/history/monitor-report.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { type Check, readStoredMessage } from '../../core/monitors/check.ts'
import { newestChecks, readCheckPage } from '../../store/history/history.ts'
import type { Implementation } from '../implementation.ts'

/** Limited to the plan's window, even if older checks are still stored. */
export const listMonitorChecks: Implementation<'listMonitorChecks'> = {
  async perform({ db, plans, now }, { actor, record }) {
    const since = windowStart(plans[actor.plan].check_history_days, now())
    const checks = await newestChecks(db.query, record.id, since, MAX_CHECKS)
    return { body: { data: checks.map(presentCheck) } }
  },
}

/** Limited to the plan's window, even if older checks are still stored. */
export const listCheckDetails: Implementation<'listCheckDetails'> = {
  async perform({ db, plans, now }, { actor, record, query }) {
    const since = windowStart(plans[actor.plan].check_history_days, now())
    const { before, status } = query
    const wish = { since, limit: CHECKS_PER_PAGE, ...(before && { before }), ...(status && { status }) }
    const { checks, nextBefore } = await readCheckPage(db.query, record.id, wish)
    return {
      body: { data: checks.map(presentCheckDetail), meta: { next_before: formatInstantOrNull(nextBefore) } },
    }
  },
}

export function presentCheck(check: CheckRecord): Check {
  return {
    checked_at: formatInstant(check.checkedAt),
    status: check.status,
    response_time_ms: check.responseTimeMs,
    http_status_code: check.httpStatusCode,
    region: check.region,
    error_message: readStoredMessage(check.status, check.errorMessage).errorMessage,
    ...(check.steps && { steps: [...check.steps] }),
  }
}

export function presentCheckDetail(check: CheckRecord): CheckDetail {
  const { phases } = check
  return {
    ...presentCheck(check),
    note: readStoredMessage(check.status, check.errorMessage).note,
    phases: phases && {
      dns_ms: phases.dnsMs,
      connect_ms: phases.connectMs,
      tls_ms: phases.tlsMs,
      first_byte_ms: phases.firstByteMs,
      transfer_ms: phases.transferMs,
    },
  }
}
