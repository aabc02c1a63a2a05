import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { TrialClaims } from '../../store/probing/trials.ts'
import { type ClaimedAttempts, createClaimedAttempts } from './claimed-attempts.ts'

/** Makes the checks of settings that people try before they save them: nothing is recorded, and nobody is alerted. */
export function createTrialChecks(deps: {
  claims: TrialClaims
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  onTrouble: (error: unknown) => void
}): ClaimedAttempts {
  const { claims } = deps
  return createClaimedAttempts({
    claim: claims.claim,
    teamOf: ({ teamId }) => teamId,
    async attempt({ trial, teamId, settings }, membership, signal) {
      const result = await deps.probe({ ...settings, team_id: teamId }, signal)
      if (!signal.aborted) await claims.answer(trial, membership, result)
    },
    capacity: 'trials',
    onTrouble: deps.onTrouble,
  })
}
