import type { AlertEvent } from '../alerting/alert.ts'
import { type CheckResult, type CheckStatus, passes } from './check.ts'
import { NO_CONFIRMATION } from './confirmation.ts'

/** A monitor's state before a result is judged. */
export type Standing = {
  status: CheckStatus
  hasOpenIncident: boolean
  /** While it is down: the number of consecutive checks that passed. */
  passing: number
  /** Fingerprint of the certificate in the last expiry warning. */
  warnedCertificate: string | null
}

/** The effect of a result: the new status, the change to the incident, and the events to alert about. */
export type Verdict = {
  status: CheckStatus
  incident: 'open' | 'resolve' | null
  events: Exclude<AlertEvent, 'test'>[]
  warnedCertificate: string | null
  /** Consecutive checks that passed without making the monitor up again yet. */
  passing: number
}

/**
 * Judges one result. A monitor that is down recovers after `recoveryChecks` consecutive passes; `pending`
 * changes nothing.
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
