import { Team } from '../core/teams/team.ts'
import { one } from './envelope.ts'
import { examples } from './openapi/examples.ts'
import type { PublicOperation } from './operation.ts'

export const teamOperations = {
  getTeam: {
    method: 'GET',
    path: '/team',
    summary: "Show the team's plan, its limits and usage",
    tag: 'Team',
    description:
      'The plan with its limits and their usage. If `can_add_monitor` is false, creating another monitor is refused with 402.',
    examples: { data: examples.team },
    access: 'read',
    status: 200,
    output: one(Team),
    errors: [],
    tool: 'get-team',
  },
} as const satisfies Record<string, PublicOperation>
