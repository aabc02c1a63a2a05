import { contract, type PublicOperationId } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { CONTACTS, MONITORS } from './api-bodies.ts'

export type NamedOperation = Operation & { id: PublicOperationId }

/** Every operation of the contract that has not reached its sunset. */
export const OPERATIONS: NamedOperation[] = (Object.keys(contract) as PublicOperationId[])
  .map((id): NamedOperation => ({ ...(contract[id] as Operation), id }))
  .filter(({ deprecated }) => !deprecated || new Date() < deprecated.sunset)

export const WRITES = OPERATIONS.filter(({ access }) => access === 'write')
export const WITH_ID = OPERATIONS.filter(({ path }) => path.includes('{'))

/** The ids that stand for `{monitor}` and `{notificationContact}` in paths. */
export type PathIds = { monitor: number | string; notificationContact: number | string }

/** The same id for either kind of record. */
export function bothIds(id: number | string): PathIds {
  return { monitor: id, notificationContact: id }
}

export function pathOf({ path }: Operation, ids: PathIds): string {
  return path.replace(/\{(\w+)\}/, (_, name: keyof PathIds) => String(ids[name]))
}

/** A body that the operation takes; undefined where it takes none. */
export function bodyOf({ id, body }: NamedOperation): unknown {
  if (id === 'createMonitor') return MONITORS.http
  if (id === 'createContact') return CONTACTS.webhook
  return body && { name: 'Renamed' }
}
