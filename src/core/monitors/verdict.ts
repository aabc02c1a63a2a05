import type { AlertEvent } from '../alerting/alert.ts'
import { type CheckResult, type CheckStatus, passes } from './check.ts'
import { NO_CONFIRMATION } from './confirmation.ts'

/** What is known of a monitor before a result is judged. */
export type Standing = {
  status: CheckStatus
  hasOpenIncident: boolean
  /** While it is down: how many checks in a row have passed. */
  passing: number
  /** Fingerprint of the certificate the contacts were last warned of. */
  warnedCertificate: string | null
}

/** What a result means: the new status, what happens to the incident, and whom to tell of what. */
export type Verdict = {
  status: CheckStatus
  incident: 'open' | 'resolve' | null
  events: Exclude<AlertEvent, 'test'>[]
  warnedCertificate: string | null
  /** Passing checks in a row that do not make a monitor up again yet. */
  passing: number
}

/**
 * Judges one result (specification, section 3.1; product, "degraded" and "our own trouble"). A monitor that is down is
 * up again when `recoveryChecks` in a row have passed.
 */
export function decide(
  standing: Standing,
  result: Pick<CheckResult, 'status' | 'certificate'>,
  recoveryChecks = NO_CONFIRMATION.recovery_checks,
): Verdict {
  const unchanged: Verdict = {
    status: standing.status,
    incident: null,
    events: [],
    warnedCertificate: standing.warnedCertificate,
    passing: standing.passing,
  }
  if (result.status === 'pending') return unchanged
  if (result.status === 'down') {
    const down: Verdict = { ...unchanged, status: 'down', passing: 0 }
    return standing.hasOpenIncident ? down : { ...down, incident: 'open', events: ['monitor.down'] }
  }
  if (standing.status === 'down' && standing.passing + 1 < recoveryChecks)
    return { ...unchanged, passing: standing.passing + 1 }

  const verdict: Verdict = { ...unchanged, status: result.status, passing: 0 }
  if (standing.hasOpenIncident && passes(result.status)) {
    verdict.incident = 'resolve'
    verdict.events.push('monitor.recovery')
  }
  const fingerprint = result.certificate?.fingerprint ?? null
  if (result.status === 'degraded' && fingerprint !== standing.warnedCertificate) {
    verdict.warnedCertificate = fingerprint
    verdict.events.push('monitor.degraded')
  }
  return verdict
}
