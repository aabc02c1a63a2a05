import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { ConfirmationClaims } from '../../store/probing/confirmations.ts'
import type { MonitorToCheck } from '../../store/probing/schedule.ts'
import { type ClaimedAttempts, createClaimedAttempts } from './claimed-attempts.ts'

/** Makes the attempts that other regions ask this one for. */
export function createConfirmationAnswerer(deps: {
  claims: ConfirmationClaims
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  settingsOf: (monitor: MonitorToCheck) => ProbeSettings
  onTrouble: (error: unknown) => void
}): ClaimedAttempts {
  const { claims } = deps
  return createClaimedAttempts({
    claim: claims.claim,
    teamOf: ({ monitor }) => monitor.team_id,
    async attempt({ confirmation, monitor }, membership, signal) {
      // A failure keeps the answer that the region got which asks.
      const { answer, ...result } = await deps.probe(deps.settingsOf(monitor), signal)
      if (!signal.aborted) await claims.answer(confirmation, membership, result)
    },
    capacity: 'confirmations',
    onTrouble: deps.onTrouble,
  })
}
