import type { AlertEvent } from './alert.ts'
import { type CheckResult, type CheckStatus, passes } from './check.ts'

/** What is known of a monitor before a result is judged. */
export type Standing = {
  status: CheckStatus
  hasOpenIncident: boolean
  /** Fingerprint of the certificate the contacts were last warned of. */
  warnedCertificate: string | null
}

/** What a result means: the new status, what happens to the incident, and whom to tell of what. */
export type Verdict = {
  status: CheckStatus
  incident: 'open' | 'resolve' | null
  events: Exclude<AlertEvent, 'test'>[]
  warnedCertificate: string | null
}

/** Judges one result (specification, section 3.1; product, "degraded" and "our own trouble"). */
export function decide(standing: Standing, result: Pick<CheckResult, 'status' | 'certificate'>): Verdict {
  const unchanged: Verdict = {
    status: standing.status,
    incident: null,
    events: [],
    warnedCertificate: standing.warnedCertificate,
  }
  if (result.status === 'pending') return unchanged
  if (result.status === 'down') {
    if (standing.hasOpenIncident) return { ...unchanged, status: 'down' }
    return { ...unchanged, status: 'down', incident: 'open', events: ['monitor.down'] }
  }

  const verdict: Verdict = { ...unchanged, status: result.status }
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
