import { allOperations, type OperationId } from '../../../src/contract/contract.ts'
import { fillPath, type Operation, parametersOf } from '../../../src/contract/operation.ts'
import { type BodyOf, EVERY_BODY } from './every-body.ts'
import { QUERIES, SCENES } from './scenes.ts'
import type { Make, RecordKind } from './team-records.ts'

/** What a member of a team may ask for, and the same with records of another team in its body. */
export type Case = {
  id: OperationId
  operation: Operation
  /** Below the address of the team. */
  path: string
  body: unknown
  /** Undefined where the body names no record. */
  stolen: unknown
}

/** A request of every operation that the service takes from `ours`, with the records it needs. */
export async function casesOf(ours: Make, theirs: Make): Promise<Case[]> {
  const cases: Case[] = []
  for (const [id, operation] of Object.entries(allOperations as Record<string, Operation>)) {
    cases.push(await prepare(id as OperationId, operation, ours, theirs))
  }
  return cases
}

async function prepare(id: OperationId, operation: Operation, ours: Make, theirs: Make): Promise<Case> {
  const [kind] = parametersOf(operation.path) as RecordKind[]
  const scene = SCENES[id] ?? (kind && ((make: Make) => make(kind)))
  const record = (await scene?.(ours)) ?? 0
  const query = new URLSearchParams(await QUERIES[id]?.(ours, record))
  const bodyOf: BodyOf | undefined = (EVERY_BODY as Record<string, BodyOf>)[id]
  let isNaming = false
  const foreign = Object.assign((named: RecordKind) => {
    isNaming = true
    return theirs(named)
  }, theirs)
  const stolen = await bodyOf?.(foreign)
  return {
    id,
    operation,
    path: fillPath(operation.path, () => String(record)) + (query.size > 0 ? `?${query}` : ''),
    body: await bodyOf?.(ours),
    stolen: isNaming ? stolen : undefined,
  }
}
