import type { MonitorEvent } from '../../core/alerting/alert.ts'
import type { Maintenance } from '../../core/maintenance/maintenance-at.ts'
import { standingWarnings } from '../../core/monitors/certificate.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { holdsOthers } from '../../core/monitors/options/dependencies.ts'
import type { MonitorPatience } from '../../core/monitors/options/patience.ts'
import { decide, type Verdict } from '../../core/monitors/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { goOnFlapping } from '../../store/alerting/flaps.ts'
import { openIncident, type ResolvedIncident, resolveIncident } from '../../store/incidents/recording.ts'
import { countDependents } from '../../store/monitors/dependencies.ts'
import type { StateRow, Subject } from '../../store/monitors/recording.ts'
import type { MonitorNews } from '../../store/news.ts'
import { type Damped, tellDamped } from '../alerting/damp.ts'
import { monitorAlert } from '../alerting/monitor-alert.ts'
import { tell } from '../alerting/tell.ts'
import { closeEscalation, NOTHING_TOLD } from '../on-call/close-escalation.ts'

export type JudgedFinding = {
  monitorId: number
  checkedAt: Date
  result: CheckResult
  patience?: Pick<MonitorPatience, 'recovery_checks'> | undefined
  maintenance: Maintenance
}

/** A verdict and what follows from it: the monitor's new state, but for its incident, and news of its status. */
export type Judgement = {
  state: StateRow
  verdict: Verdict
  news: MonitorNews[]
  /** When a failure began that is told with this finding, or that the finding resolves untold. */
  heldSince: Date | null
}

/** A change that is not told as such, because its monitor flaps. */
export type DampedChange = {
  damped: Damped
  /** Null where nobody waits for it: the incident was not told either. */
  event: MonitorEvent | null
  at: Date
  isNew: boolean
}

/** Applies the verdict on a finding to the state before it; writes nothing. `isHeld`: its alerts wait. */
export function judge(before: StateRow, finding: JudgedFinding, isHeld = false): Judgement {
  const { monitorId, checkedAt, result, patience, maintenance } = finding
  // A release before may have resolved the incident, and have left the time.
  const heldSince = before.openIncidentId === null ? null : before.heldSince
  const warnedBefore = standingWarnings(before, checkedAt)
  const verdict = decide(
    {
      status: before.status,
      hasOpenIncident: before.openIncidentId !== null,
      passing: before.passing,
      warnedCertificates: warnedBefore,
      unmet: before.unmet,
      isUntold: heldSince !== null,
    },
    result,
    patience?.recovery_checks,
    maintenance.applies,
    isHeld,
  )
  const { status, passing, unmet, warnedCertificates } = verdict
  const isWarning = warnedCertificates !== warnedBefore
  const isNewest = !before.lastCheckedAt || before.lastCheckedAt < checkedAt
  const state: StateRow = {
    ...before,
    status,
    passing,
    unmet,
    heldSince: verdict.isUntold ? (heldSince ?? startOf(finding)) : null,
    failingUntil: holdsOthers(before.status) && !holdsOthers(status) ? checkedAt : before.failingUntil,
    ...(isWarning && {
      warnedCertificate: warnedCertificates.at(-1)?.fingerprint ?? null,
      warnedCertificates,
    }),
    statusSince: before.status === status ? before.statusSince : checkedAt,
    lastCheckedAt: isNewest ? checkedAt : before.lastCheckedAt,
    sslExpiresAt: result.certificate ? result.certificate.expiresAt : before.sslExpiresAt,
  }
  const isNews = before.status !== status || before.passing !== passing
  // Only what is active is judged.
  const news: MonitorNews[] = isNews
    ? [{ event: 'monitor', data: { id: monitorId, status, is_active: true } }]
    : []
  return { state, verdict, news, heldSince }
}

/** When a failure began: at the end of the window that it was planned by, or with its first check. */
export function startOf({ maintenance, checkedAt }: Pick<JudgedFinding, 'maintenance' | 'checkedAt'>): Date {
  return maintenance.endedAt ?? checkedAt
}

/** Whether a verdict opens or resolves an incident, or alerts a contact. */
export function hasConsequences({ incident, events, warnsOfUnmet }: Verdict): boolean {
  return incident !== null || events.length > 0 || warnsOfUnmet
}

/** Writes the incident of a verdict and its deliveries; returns the incident that is open then, and news of it. */
export async function writeConsequences(
  client: Connection,
  { state, verdict, heldSince }: Judgement,
  finding: JudgedFinding,
  subject: Subject,
  change: DampedChange | null = null,
): Promise<{ openIncidentId: number | null; news: MonitorNews[] }> {
  const { monitorId, checkedAt, result } = finding
  const { teamId } = subject
  const before = state.openIncidentId
  let incidentId = before
  let resolved: ResolvedIncident<'monitor'> | null = null
  const startedAt = heldSince ?? startOf(finding)
  if (verdict.incident === 'open') {
    const cause = result.errorMessage
    incidentId = await openIncident(client, {
      kind: 'monitor',
      teamId,
      subjectId: monitorId,
      startedAt,
      cause,
    })
  } else if (verdict.incident === 'resolve' && before !== null) {
    resolved = await resolveIncident(client, { kind: 'monitor', id: before }, checkedAt)
  }

  const told =
    resolved && before !== null
      ? await closeEscalation(client, { kind: 'monitor', id: before })
      : NOTHING_TOLD
  for (const { event, about } of toldOf(verdict, result, change?.event)) {
    const isDown = event === 'monitor.down'
    const at = isDown ? startedAt : checkedAt
    const dependents = isDown ? await countDependents(client, teamId, monitorId) : 0
    const telling = {
      teamId,
      subject: { kind: 'monitor', id: monitorId } as const,
      alert: { ...monitorAlert(event, subject, at, about, resolved), ...(dependents > 0 && { dependents }) },
      told,
    }
    if (event === change?.event && incidentId !== null)
      await tellDamped(client, change.damped, { ...change, about: null }, { ...telling, incidentId })
    else
      await tell(client, {
        ...telling,
        incidentId: event === 'monitor.degraded' ? null : incidentId,
        opens: isDown,
      })
  }
  if (change && change.event === null)
    await goOnFlapping(client, {
      ...{ subject: { kind: 'monitor', id: monitorId }, about: null, isChange: true, alert: null },
    })
  if (verdict.incident === null || incidentId === null) return { openIncidentId: before, news: [] }
  const isOpen = verdict.incident === 'open'
  return {
    openIncidentId: isOpen ? incidentId : null,
    news: [
      {
        event: 'incident',
        data: { id: incidentId, monitor_id: monitorId, state: isOpen ? 'open' : 'resolved' },
      },
    ],
  }
}

/** The events of a verdict, each with the result as it is told: one check may warn of its answer and of a certificate. */
function toldOf(
  { events, warnsOfUnmet }: Verdict,
  result: CheckResult,
  damped: MonitorEvent | null = null,
): { event: MonitorEvent; about: CheckResult }[] {
  const ofCertificate = { ...result, errorMessage: result.expiry ?? result.errorMessage }
  return [
    ...(damped === null ? [] : [{ event: damped, about: result }]),
    ...events.map((event) => ({ event, about: event === 'monitor.degraded' ? ofCertificate : result })),
    ...(warnsOfUnmet ? [{ event: 'monitor.degraded' as const, about: result }] : []),
  ]
}
