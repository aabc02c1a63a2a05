import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { Refusal } from '../core/errors.ts'
import { type Faults, parseFields } from '../core/validation.ts'
import type { Answer } from '../operations/implementation.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { run } from '../operations/run.ts'
import type { Services } from '../operations/services.ts'
import { IdArgument } from './schemas.ts'
import type { Tool, ToolOperation } from './tools.ts'

export type Arguments = Record<string, unknown>

/** Does the same as the tool's HTTP counterpart, through the same code; a refusal is a result, too. */
export async function callTool(
  services: Services,
  authorization: string,
  tool: Tool,
  sent: Arguments,
): Promise<CallToolResult> {
  const operation = chooseOperation(tool, sent)
  const answer = await run(services, operation.id, {
    door: 'mcp',
    authorization,
    params: paramsOf(operation, sent),
    query: operation.query ? queryOf(sent) : {},
    readBody: async () => sent,
  })
  if (answer.status !== 404) return resultOf(answer)
  const faults = recordFaults(operation, sent)
  return resultOf(
    faults ? refusalAnswer(services, Refusal.invalid(faults)) : notFound(answer, operation, sent),
  )
}

/** A model that learns which id was wrong, and which tool lists ids, can correct its call. */
function notFound(answer: Answer, { record }: ToolOperation, sent: Arguments): Answer {
  if (!record) return answer
  const { parameter, argument, listedBy } = record
  const where = listedBy === null ? '' : ` ${listedBy} tells the ids that there are.`
  const detail = `There is no ${parameter} with the ID ${sent[argument]} in this team.${where}`
  return { ...answer, body: { ...(answer.body as object), detail } }
}

/** Chooses the operation on a single record if an id was sent. */
function chooseOperation({ operations }: Tool, sent: Arguments): ToolOperation {
  const wanting = operations.find(({ record }) => record && sent[record.argument] !== undefined)
  return wanting ?? operations.find(({ record }) => !record) ?? (operations[0] as ToolOperation)
}

function paramsOf({ record }: ToolOperation, sent: Arguments): Record<string, string> {
  const id = record && sent[record.argument]
  return record && typeof id === 'number' ? { [record.parameter]: String(id) } : {}
}

/**
 * Validates the record's id. Called only after a 404, so that permissions and rate limits are checked first, as
 * everywhere.
 */
function recordFaults({ record }: ToolOperation, sent: Arguments): Faults | null {
  if (!record) return null
  const parsed = parseFields(z.object({ [record.argument]: IdArgument }), sent)
  return parsed.ok ? null : parsed.faults
}

/** Values as a query string carries them: text, with empty values left out. */
function queryOf(sent: Arguments): Record<string, string> {
  const pairs = Object.entries(sent).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  )
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}

function resultOf({ status, body, note, headers }: Answer): CallToolResult {
  const isError = status >= 400
  const wait = headers['retry-after']
  const structuredContent = {
    ...((body ?? { data: null }) as Record<string, unknown>),
    ...(note !== undefined && { note }),
    ...(isError && wait !== undefined && { retry_after_seconds: Number(wait) }),
  }
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(isError && { isError }),
  }
}
