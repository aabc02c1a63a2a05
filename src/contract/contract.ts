import { contactOperations } from './contacts.ts'
import { deliveryOperations } from './deliveries.ts'
import { historyOperations } from './history.ts'
import { incidentOperations } from './incidents.ts'
import { maintenanceOperations } from './maintenance.ts'
import { monitorPageOperations } from './monitor-pages.ts'
import { monitorOperations } from './monitors.ts'
import { movingInOperations } from './moving-in.ts'
import { acknowledgementOperations } from './on-call/acknowledgements.ts'
import { escalationOperations } from './on-call/escalation.ts'
import { scheduleOperations } from './on-call/schedules.ts'
import type { Operation, PublicOperation } from './operation.ts'
import { overviewOperations } from './overview.ts'
import { peopleOperations } from './people.ts'
import { reportOperations } from './reports/reports.ts'
import { serverOperations } from './servers.ts'
import { siteOperations } from './sites.ts'
import { statusPageOperations } from './status-pages.ts'
import { statusPostOperations } from './status-posts.ts'
import { tagOperations } from './tags/tags.ts'
import { teamOperations } from './team.ts'

/** Every operation of the public API. API tokens can use these only. */
export const contract = {
  ...monitorOperations,
  ...historyOperations,
  ...contactOperations,
  ...teamOperations,
} as const satisfies Record<string, PublicOperation>

/** Further operations for the dashboard. They are not part of the API and may change with the dashboard. */
const internalContract = {
  ...overviewOperations,
  ...monitorPageOperations,
  ...movingInOperations,
  ...incidentOperations,
  ...deliveryOperations,
  ...acknowledgementOperations,
  ...escalationOperations,
  ...peopleOperations,
  ...maintenanceOperations,
  ...statusPageOperations,
  ...statusPostOperations,
  ...serverOperations,
  ...siteOperations,
  ...reportOperations,
  ...tagOperations,
  ...scheduleOperations,
} as const satisfies Record<string, Operation & { internal: true }>

export const allOperations = { ...contract, ...internalContract }

export type PublicOperationId = keyof typeof contract
export type Contract = typeof allOperations
export type OperationId = keyof Contract
