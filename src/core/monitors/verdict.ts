import type { MonitorEvent } from '../alerting/alert.ts'
import { asWarned, needsWarning, type WarnedCertificate } from './certificate.ts'
import type { CheckResult, CheckStatus } from './check.ts'
import { NO_CONFIRMATION } from './confirmation.ts'

/** A monitor's state before a result is judged. */
export type Standing = {
  status: CheckStatus
  hasOpenIncident: boolean
  /** While its incident is open: the number of consecutive checks that passed. */
  passing: number
  /** Those whose expiry was warned of before. */
  warnedCertificates: readonly WarnedCertificate[]
  /** An expectation that only warns is not met, which was told. */
  unmet?: boolean
  /** Its incident is open, and nobody was alerted of it yet. */
  isUntold?: boolean
}

/** The effect of a result: the new status, the change to the incident, and the events to alert about. */
export type Verdict = {
  status: CheckStatus
  incident: 'open' | 'resolve' | null
  events: MonitorEvent[]
  warnedCertificates: readonly WarnedCertificate[]
  /** Consecutive checks that passed without making the monitor up again yet. */
  passing: number
  /** Whether an expectation that only warns is not met; `warnsOfUnmet`: since this check, so that it is told. */
  unmet: boolean
  warnsOfUnmet: boolean
  /** Whether its incident is open and nobody is alerted of it yet. */
  isUntold: boolean
}

/**
 * Judges one result. A monitor that is down recovers after `recoveryChecks` consecutive passes, and one that warned of an
 * expectation once so many have met it; `pending` changes nothing.
 * Under maintenance a failure opens no incident and a warning is left for later. An incident that was open before goes on,
 * and what was told down is told recovered when it happens. `isHeld`: a monitor that it depends on is down, so that its alerts
 * wait; of an incident that was never told, no recovery is told either. A group none of whose members counts is pending.
 */
export function decide(
  standing: Standing,
  result: Pick<CheckResult, 'status' | 'certificate' | 'unmet' | 'expiry' | 'membersLeave'>,
  recoveryChecks = NO_CONFIRMATION.recovery_checks,
  underMaintenance = false,
  isHeld = false,
): Verdict {
  const unchanged: Verdict = {
    status: standing.status,
    incident: null,
    events: [],
    warnedCertificates: standing.warnedCertificates,
    passing: standing.passing,
    unmet: standing.unmet ?? false,
    warnsOfUnmet: false,
    isUntold: standing.hasOpenIncident && standing.isUntold === true,
  }
  if (result.status === 'pending') return result.membersLeave === undefined ? unchanged : withoutMembers()
  if (result.status === 'down') {
    if (underMaintenance) return { ...unchanged, status: 'maintenance', passing: 0 }
    const down: Verdict = { ...unchanged, status: 'down', passing: 0, unmet: false }
    const isToTell = !standing.hasOpenIncident || down.isUntold
    return {
      ...down,
      incident: standing.hasOpenIncident ? null : 'open',
      events: isToTell && !isHeld ? ['monitor.down'] : [],
      isUntold: isToTell && isHeld,
    }
  }
  if (isRecovering(standing, result) && standing.passing + 1 < recoveryChecks)
    return { ...unchanged, passing: standing.passing + 1 }

  const verdict: Verdict = { ...unchanged, status: result.status, passing: 0, isUntold: false }
  if (standing.hasOpenIncident) {
    verdict.incident = 'resolve'
    if (!unchanged.isUntold) verdict.events.push('monitor.recovery')
  }
  const { certificate } = result
  const warns = !underMaintenance && !isHeld
  const isWarning = result.status === 'degraded' && warns
  const expires = !result.unmet || result.expiry !== undefined
  if (isWarning && expires && certificate && needsWarning(standing.warnedCertificates, certificate)) {
    verdict.warnedCertificates = [...standing.warnedCertificates, asWarned(certificate)]
    verdict.events.push('monitor.degraded')
  }
  if (warns) {
    verdict.unmet = result.unmet ?? false
    verdict.warnsOfUnmet = verdict.unmet && !unchanged.unmet
  }
  return verdict

  /** No alert is sent: it did not recover, and people have paused or removed what failed. */
  function withoutMembers(): Verdict {
    const isOver = standing.hasOpenIncident && result.membersLeave === true
    return {
      ...unchanged,
      status: 'pending',
      passing: 0,
      ...(isOver && { incident: 'resolve' as const, isUntold: false }),
    }
  }
}

/** A failure that was planned is over with the first pass, unless an incident is open; a warning that was told is over as a failure is. */
function isRecovering(
  { status, hasOpenIncident, unmet }: Standing,
  result: Pick<CheckResult, 'unmet'>,
): boolean {
  if (status === 'degraded') return unmet === true && !result.unmet
  return status === 'down' || (status === 'maintenance' && hasOpenIncident)
}
