import type { RuleContext } from '../../src/core/monitors/monitor-rules.ts'
import type { Team } from '../../src/core/teams/team.ts'

/** It lacks the policy on addresses, which only the service knows and applies when the form is sent. */
export function contextOf(team: Team): RuleContext {
  const { plan: planName, min_interval_minutes, min_interval_seconds } = team
  const plan = { min_interval_minutes, min_interval_seconds }
  return { plan, planName, refuseAddress: () => null }
}
