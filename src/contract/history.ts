import { Check } from '../core/monitors/check.ts'
import { Incident } from '../core/monitors/incident.ts'
import { many } from './envelope.ts'
import { examples } from './openapi/examples.ts'
import type { PublicOperation } from './operation.ts'

export const MAX_CHECKS = 100
export const MAX_INCIDENTS_OF_MONITOR = 50
export const MAX_INCIDENTS_OF_TEAM = 100

/** One tool lists the incidents of a monitor, or of the team. */
const listed = {
  method: 'GET',
  tag: 'Incidents',
  examples: { data: [examples.incident] },
  access: 'read',
  status: 200,
  tool: 'list-incidents',
} as const satisfies Partial<PublicOperation>

export const historyOperations = {
  listMonitorChecks: {
    method: 'GET',
    path: '/monitors/{monitor}/checks',
    summary: `List the newest ${MAX_CHECKS} checks of a monitor`,
    tag: 'Checks',
    description: "Newest first, as far back as the team's plan keeps checks. Not paginated.",
    examples: { data: examples.checks },
    access: 'read',
    status: 200,
    output: many(Check, MAX_CHECKS),
    errors: ['notFound'],
    tool: 'list-monitor-checks',
  },
  listMonitorIncidents: {
    ...listed,
    path: '/monitors/{monitor}/incidents',
    summary: `List the newest ${MAX_INCIDENTS_OF_MONITOR} incidents of a monitor`,
    description: 'Newest first, open and resolved. Not paginated.',
    output: many(Incident, MAX_INCIDENTS_OF_MONITOR),
    errors: ['notFound'],
  },
  listIncidents: {
    ...listed,
    path: '/incidents',
    summary: `List the newest ${MAX_INCIDENTS_OF_TEAM} incidents of the team`,
    description: 'Incidents of all monitors, newest first, open and resolved. Not paginated.',
    output: many(Incident, MAX_INCIDENTS_OF_TEAM),
    errors: [],
  },
} as const satisfies Record<string, PublicOperation>
