import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod'
import { allOperations, type Contract, type OperationId } from '../../src/contract/contract.ts'
import { send } from './send.ts'

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${string}` ? Name : never
type PartOf<Id extends OperationId, Part extends string> =
  Contract[Id] extends Record<Part, infer T> ? T : never

/** The input of an operation: the id in its path, its query, its body. */
export type GivenInput<Id extends OperationId> = ([ParameterOf<Contract[Id]['path']>] extends [never]
  ? unknown
  : { id: number }) & {
  // Numbers go into a query as their digits.
  query?: { [Name in keyof InputOf<PartOf<Id, 'query'>>]?: string | number | undefined }
  body?: InputOf<PartOf<Id, 'body'>>
}

export type AnswerOf<Id extends OperationId> =
  PartOf<Id, 'output'> extends infer Output extends z.ZodType ? z.output<Output> : null

/** Calls an operation of the contract for a team. */
export async function ask<Id extends OperationId>(
  team: number,
  operation: Id,
  given: GivenInput<Id>,
): Promise<AnswerOf<Id>> {
  const { method, path } = allOperations[operation]
  const { id, query, body } = given as { id?: number; query?: Record<string, unknown>; body?: unknown }
  const answer = await send({
    method,
    path: `/app/teams/${team}${path.replace(/\{\w+\}/, String(id))}`,
    ...(query && { query }),
    ...(body !== undefined && { body }),
  })
  return answer as AnswerOf<Id>
}

/** A question as the query cache keeps it: by team, operation, id and query. */
export function question<Id extends OperationId>(team: number, operation: Id, given: GivenInput<Id>) {
  const { id, query } = given as { id?: number; query?: object }
  return queryOptions({
    queryKey: [team, operation, id ?? null, query ?? null] as const,
    queryFn: () => ask(team, operation, given),
  })
}
