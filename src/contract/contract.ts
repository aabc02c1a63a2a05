import { contactOperations } from './contacts.ts'
import { historyOperations } from './history.ts'
import { monitorOperations } from './monitors.ts'
import type { Operation } from './operation.ts'
import { teamOperations } from './team.ts'

/** Every operation of the API. What is not here cannot be asked. */
export const contract = {
  ...monitorOperations,
  ...historyOperations,
  ...contactOperations,
  ...teamOperations,
} as const satisfies Record<string, Operation>

export type Contract = typeof contract
export type OperationId = keyof Contract
