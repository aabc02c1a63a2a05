import { Team } from '../core/team.ts'
import { one } from './envelope.ts'
import type { Operation } from './operation.ts'

export const teamOperations = {
  getTeam: {
    method: 'GET',
    path: '/team',
    summary: "Show the team's plan, its limits and usage",
    access: 'read',
    status: 200,
    output: one(Team),
    errors: [],
    tool: 'get-team',
  },
} as const satisfies Record<string, Operation>
