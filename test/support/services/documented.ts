import assert from 'node:assert/strict'
import { type OpenApiDocument, openApiDocument } from '../../../src/contract/openapi/document.ts'
import type { JsonSchema } from '../../../src/contract/openapi/json-schema.ts'
import { type FindFaults, faultFinder } from '../documents/json-schema.ts'
import { ask, type Sent, type Told } from './http.ts'

const API_PATH = '/api/v1'
/** Below these, every answer is documented, and so is that there is nothing at an address. */
const DOCUMENTED_PATHS = /^\/(api\/v1|ping|badge)(\/|$)/
/** The document itself. */
const UNLISTED = new Set([`${API_PATH}/openapi.json`])
/** On a request that reaches no operation, and therefore in none of them. */
const ELSEWHERE = { unknownPath: 404, wrongMethod: 405 }

export type Seen = { method: string; url: string; status: number; headers: Headers; text: string }

type Documented = { headers?: Record<string, JsonSchema>; content?: Record<string, { schema: JsonSchema }> }
type Operation = { responses: Record<string, JsonSchema> }

/** Asks; the answer must be what the OpenAPI document says, where it says something. */
export async function documentedAsk(url: string, sent: Sent = {}): Promise<Told> {
  const told = await ask(url, sent)
  assertDocumented({ method: sent.method ?? 'GET', url, ...told })
  return told
}

/** The same, answered as `fetch` answers. */
export async function documentedFetch(url: string, sent: Sent = {}): Promise<Response> {
  const { status, headers, text } = await documentedAsk(url, sent)
  return new Response(text === '' ? null : text, { status, headers })
}

/** The same of an answer that has come already. */
export async function documented(method: string, url: string, response: Response): Promise<Response> {
  const { status, headers } = response
  assertDocumented({ method, url, status, headers, text: await response.clone().text() })
  return response
}

/** Fails on a status, a media type, a missing header or a body that the OpenAPI document does not allow. */
function assertDocumented(seen: Seen): void {
  const path = new URL(seen.url).pathname.replace(/(?<=.)\/$/, '')
  if (!DOCUMENTED_PATHS.test(path) || UNLISTED.has(path)) return
  const about = `${seen.method} ${path} answered ${seen.status}`
  const item = itemOf(path)
  // HEAD works wherever GET does.
  const operation = item?.[seen.method.toLowerCase()] ?? (seen.method === 'HEAD' ? item?.get : undefined)
  if (!operation) {
    assertRefused(seen, item ? ELSEWHERE.wrongMethod : ELSEWHERE.unknownPath, about)
    return
  }
  const answer = (operation as Operation).responses[seen.status]
  assert.ok(answer, `${about}, which is not documented: ${seen.text.slice(0, 300)}`)
  assertAnswer(seen, follow(answer) as Documented, about)
}

function assertAnswer({ method, headers, text }: Seen, documented: Documented, about: string): void {
  for (const [name, header] of Object.entries(documented.headers ?? {})) {
    const value = headers.get(name)
    assert.ok(value !== null, `${about} without the documented header ${name}`)
    const { schema } = follow(header) as { schema: JsonSchema }
    const read = schema.type === 'integer' ? Number(value) : value
    assert.equal(faultsOf(schema, read), null, `${about} with ${name}: ${value}`)
  }
  if (!documented.content) {
    assert.equal(text, '', `${about} with a body, and none is documented`)
    return
  }
  const type = headers.get('content-type')?.split(';')[0] ?? 'no type'
  const media = documented.content[type]
  assert.ok(media, `${about} as ${type}, which is not documented`)
  if (method === 'HEAD') return
  const faults = faultsOf(media.schema, type.endsWith('json') ? JSON.parse(text) : text)
  assert.equal(faults, null, `${about} with a body that is not as documented: ${text.slice(0, 1_000)}`)
}

function assertRefused({ method, status, headers, text }: Seen, expected: number, about: string): void {
  // Anybody's limit comes first, whatever is asked for below it.
  if (status === 429 && headers.has('retry-after')) return
  assert.equal(status, expected, `${about}: it is documented as ${expected}`)
  if (expected === ELSEWHERE.wrongMethod) assert.ok(headers.has('allow'), `${about} without Allow`)
  assert.equal(headers.get('content-type'), 'application/problem+json', about)
  const problem = { $ref: '#/components/schemas/Problem' }
  if (method !== 'HEAD') assert.equal(faultsOf(problem, JSON.parse(text)), null, about)
}

/** Made when the first answer comes; only what is asked for is read. */
let known: { document: OpenApiDocument; find: FindFaults; paths: [RegExp, JsonSchema][] } | undefined

function theDocument() {
  if (known) return known
  // No rule depends on where the service answers.
  const siteUrl = 'http://localhost'
  const urls = { siteUrl, baseUrl: siteUrl + API_PATH, docsUrl: `${siteUrl}/docs` }
  const document = openApiDocument({ ...urls, version: '2026-11-21' })
  const paths = Object.entries(document.paths).map(([path, item]): [RegExp, JsonSchema] => {
    const below = item.servers ? '' : API_PATH
    return [new RegExp(`^${below}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`), item]
  })
  known = { document, find: faultFinder(document, { strict: true }), paths }
  return known
}

function itemOf(path: string): JsonSchema | undefined {
  return theDocument().paths.find(([pattern]) => pattern.test(path))?.[1]
}

function faultsOf(schema: JsonSchema, value: unknown): string | null {
  return theDocument().find(schema, value)
}

function follow(node: JsonSchema): JsonSchema {
  if (typeof node.$ref !== 'string') return node
  const steps = node.$ref.slice(2).split('/')
  return steps.reduce<unknown>((at, step) => (at as JsonSchema)[step], theDocument().document) as JsonSchema
}
