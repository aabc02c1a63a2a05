import { allOperations, type OperationId } from '../../../src/contract/contract.ts'
import { fillPath, type Operation, parametersOf } from '../../../src/contract/operation.ts'
import { type BodyOf, EVERY_BODY } from './every-body.ts'
import { QUERIES, SCENES } from './scenes.ts'
import type { Make, RecordKind } from './team-records.ts'

/** A request that a member of our team may make, and the same with records of the other team in its body. */
export type Case = {
  id: OperationId
  operation: Operation
  /** The one that the path names; 0 where it names none. */
  record: number
  query: URLSearchParams
  /** Below the address of the team. */
  path: string
  body: unknown
  /** Undefined where the body names no record. */
  stolen: unknown
}

/** A request of every operation that the service takes from `ours`, with the records it needs. */
export async function casesOf(ours: Make, theirs: Make): Promise<Case[]> {
  const cases: Case[] = []
  for (const id of OPERATION_IDS)
    cases.push({ ...(await caseOf(id, ours)), stolen: await stolenBody(id, theirs) })
  return cases
}

export const OPERATION_IDS = Object.keys(allOperations) as OperationId[]

/** A request of one operation, with new records. */
export async function caseOf(id: OperationId, ours: Make): Promise<Omit<Case, 'stolen'>> {
  const operation: Operation = allOperations[id]
  const [kind] = parametersOf(operation.path) as RecordKind[]
  const scene = SCENES[id] ?? (kind && ((make: Make) => make(kind)))
  const record = (await scene?.(ours)) ?? 0
  const query = new URLSearchParams(await QUERIES[id]?.(ours, record))
  return {
    id,
    operation,
    record,
    query,
    path: fillPath(operation.path, () => String(record)) + (query.size > 0 ? `?${query}` : ''),
    body: await bodyOf(id)?.(ours),
  }
}

async function stolenBody(id: OperationId, theirs: Make): Promise<unknown> {
  let isNaming = false
  const foreign = Object.assign((named: RecordKind) => {
    isNaming = true
    return theirs(named)
  }, theirs)
  const stolen = await bodyOf(id)?.(foreign)
  return isNaming ? stolen : undefined
}

function bodyOf(id: OperationId): BodyOf | undefined {
  return (EVERY_BODY as Record<string, BodyOf>)[id]
}
