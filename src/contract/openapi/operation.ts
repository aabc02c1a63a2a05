import { PROBLEMS, type ProblemCode } from '../../core/errors.ts'
import { DEFAULT_PER_PAGE, pageOf } from '../../core/pagination.ts'
import { MAX_RECORD_ID } from '../../core/record-id.ts'
import type { Access } from '../../core/teams/access.ts'
import { capitalized } from '../../core/text.ts'
import { type AnswerHeader, headerRefs } from '../answer-headers.ts'
import { type PublicOperation, parametersOf } from '../operation.ts'
import type { JsonSchema } from './json-schema.ts'
import { problemAnswer } from './problem-answers.ts'

/** JSON Schemas of an operation's request and answer, with references into the document. */
export type OperationSchemas = { query?: JsonSchema; body?: JsonSchema; output?: JsonSchema }

const RATE: readonly AnswerHeader[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining']
const DEPRECATED: readonly AnswerHeader[] = ['Deprecation', 'Sunset', 'Link']
/** Refusals that occur before or outside the rate limit and so carry no rate limit headers. */
const WITHOUT_RATE: ReadonlySet<ProblemCode> = new Set(['unauthorized', 'gone', 'internal'])

const ACCESS_NOTES = {
  read: 'For any member of the team.',
  write: 'For owners and admins; a viewer gets 403, regardless of the body.',
  manage: 'For owners.',
} as const satisfies Record<Access, string>

const PARAMETERS: Record<string, string> = {
  monitor: 'ID of a monitor.',
  notificationContact: 'ID of a notification contact.',
}

/** The service's address, the API's base URL, and the address of the documentation. */
export type DocumentUrls = { siteUrl: string; baseUrl: string; docsUrl: string }

/** `x-internal: false` marks the API as public for tools that list many documents. */
export function server(url: string): JsonSchema {
  return { url, description: 'Production: this service', 'x-internal': false }
}

/** An operation of the contract in OpenAPI's form. */
export function describeOperation(
  id: string,
  operation: PublicOperation,
  { query, body, output }: OperationSchemas,
  urls: DocumentUrls,
): JsonSchema {
  const { tag, summary, description, access, path, deprecated, examples } = operation
  const parameters = [...pathParameters(path), ...queryParameters(query)]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${ACCESS_NOTES[access]}`,
    ...(deprecated && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        // A missing body counts as an empty one, which changes nothing.
        required: operation.method === 'POST',
        content: { 'application/json': { schema: body, ...namedExamples(examples?.bodies) } },
      },
    }),
    responses: { ...success(operation, output, urls), ...refusals(operation, urls) },
  }
}

function pathParameters(path: string): JsonSchema[] {
  return parametersOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: PARAMETERS[name],
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_RECORD_ID },
    example: 42,
  }))
}

export function queryParameters(query: JsonSchema | undefined): JsonSchema[] {
  const properties = (query?.properties ?? {}) as Record<string, JsonSchema>
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    schema,
  }))
}

function success(operation: PublicOperation, output: JsonSchema | undefined, { baseUrl }: DocumentUrls) {
  const { status, deprecated } = operation
  const headers = [
    ...RATE,
    ...(status === 201 ? (['Location'] as const) : []),
    ...(deprecated ? DEPRECATED : []),
  ]
  const content = output && {
    'application/json': { schema: output, example: exampleAnswer(operation, output, baseUrl) },
  }
  return {
    [status]: { description: SUCCESSES[status], headers: headerRefs(headers), ...(content && { content }) },
  }
}

function exampleAnswer({ path, examples }: PublicOperation, output: JsonSchema, baseUrl: string) {
  const data = examples?.data
  if (!Array.isArray(data) || !(output.required as string[]).includes('links')) return { data }
  const { length: count } = data
  const whole = { page: 1, perPage: DEFAULT_PER_PAGE, total: count, count }
  return { data, ...pageOf({ path: baseUrl + path, query: {}, ...whole }) }
}

const SUCCESSES = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done. There is no body.',
} as const satisfies Record<PublicOperation['status'], string>

function refusals({ errors, deprecated }: PublicOperation, { docsUrl }: DocumentUrls): JsonSchema {
  const gone: ProblemCode[] = deprecated ? ['gone'] : []
  const codes: ProblemCode[] = [
    'unauthorized',
    'forbidden',
    ...errors,
    ...gone,
    'tooManyRequests',
    'internal',
  ]
  const sorted = codes.sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status)
  return Object.fromEntries(
    sorted.map((code) => [PROBLEMS[code].status, refusal(code, docsUrl, deprecated !== undefined)]),
  )
}

function refusal(code: ProblemCode, docsUrl: string, isDeprecated: boolean): JsonSchema {
  if (!isDeprecated) return { $ref: `#/components/responses/${capitalized(code)}` }
  return problemAnswer(code, docsUrl, [...rateHeaders(code), ...DEPRECATED])
}

/** The refusals of operations that require a token, by name. */
export function refusalComponents(docsUrl: string): JsonSchema {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => !ELSEWHERE.has(code))
  return Object.fromEntries(
    codes.map((code) => [capitalized(code), problemAnswer(code, docsUrl, rateHeaders(code))]),
  )
}

/** No operation of the contract answers with these. */
const ELSEWHERE: ReadonlySet<ProblemCode> = new Set([
  'planLimitReached',
  'conflict',
  'methodNotAllowed',
  'gone',
  'unavailable',
])

function rateHeaders(code: ProblemCode): readonly AnswerHeader[] {
  return WITHOUT_RATE.has(code) ? [] : RATE
}

function namedExamples(bodies: Record<string, unknown> = {}): JsonSchema {
  const named = Object.entries(bodies).map(([name, value]) => [
    name.replaceAll(' ', '-'),
    { summary: capitalized(name), value },
  ])
  return named.length > 0 ? { examples: Object.fromEntries(named) } : {}
}
