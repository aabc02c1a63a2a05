import { contract, type PublicOperationId } from '../contract/contract.ts'
import { type Operation, type PublicOperation, parametersOf } from '../contract/operation.ts'
import type { Access } from '../core/teams/access.ts'
import { capitalized } from '../core/text.ts'
import { argumentsSchema, type Inputs, type ObjectSchema, resultSchema } from './schemas.ts'

/** An operation as a tool calls it. */
export type ToolOperation = Inputs & { id: PublicOperationId }

export type Tool = {
  name: string
  title: string
  description: string
  access: Access
  operations: ToolOperation[]
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: Annotations
}

type Annotations = {
  title: string
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/**
 * Hints that clients may show before running a tool. Changes overwrite data; creating or switching off destroys none.
 */
const HINTS: Record<Operation['method'], Omit<Annotations, 'title' | 'openWorldHint'>> = {
  GET: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  POST: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  PATCH: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  PUT: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  DELETE: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}

/** All tools in the order of the contract, each with everything that clients see about it. */
export const TOOLS: ReadonlyMap<string, Tool> = readContract()

type Entry = [id: PublicOperationId, operation: PublicOperation]

function readContract(): Map<string, Tool> {
  const named = new Map<string, Entry[]>()
  for (const [id, operation] of Object.entries(contract) as Entry[]) {
    const { tool } = operation
    if (tool !== undefined) named.set(tool, [...(named.get(tool) ?? []), [id, operation]])
  }
  return new Map([...named].map(([name, entries]) => [name, toolOf(name, entries.toSorted(byRecord))]))
}

/** Sorts operations without a record first: a call without an id runs that one. */
function byRecord([, one]: Entry, [, other]: Entry): number {
  return Number(recordOf(one.path) !== null) - Number(recordOf(other.path) !== null)
}

function toolOf(name: string, entries: Entry[]): Tool {
  const [, { method, access, output }] = entries[0] as Entry
  // People see `list-monitors` as "List monitors".
  const title = capitalized(name.replaceAll('-', ' '))
  const operations = entries.map(([id, { path, query, body }]) => ({
    id,
    record: recordOf(path),
    query,
    body,
  }))
  return {
    name,
    title,
    description: entries.map((entry) => describe(entry, entries.length > 1)).join(' '),
    access,
    operations,
    inputSchema: argumentsSchema(operations),
    outputSchema: resultSchema(output),
    annotations: { title, ...HINTS[method], openWorldHint: false },
  }
}

/** A path of the contract names at most one record; its parameter says of which kind. */
function recordOf(path: string): ToolOperation['record'] {
  const [parameter] = parametersOf(path)
  if (parameter === undefined) return null
  const [collection] = path.split(`/{${parameter}}`)
  const toolAt = (method: Operation['method']) =>
    (Object.values(contract) as PublicOperation[]).find(
      (operation) => operation.method === method && operation.path === collection,
    )?.tool ?? null
  return { parameter, argument: `${parameter}_id`, listedBy: toolAt('GET'), createdBy: toolAt('POST') }
}

function describe([, { summary, description, path, body }]: Entry, isOneOfSeveral: boolean): string {
  const record = recordOf(path)
  const argument = isOneOfSeveral ? record?.argument : undefined
  const fields = body && record?.createdBy ? ` The fields are those of \`${record.createdBy}\`.` : ''
  const said = `${summary}. ${description}${fields}`
  return argument === undefined ? said : `With ${argument}: ${said}`
}
