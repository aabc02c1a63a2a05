import { BadgeKind, BadgeQuery } from '../core/badge.ts'
import { PROBLEMS, type ProblemCode } from '../core/errors.ts'
import { RATE_LIMITS } from '../core/rate-limits.ts'
import { type AnswerHeader, headerRefs } from './answer-headers.ts'
import { schemaRef } from './components.ts'
import { type JsonSchema, jsonSchemasOf } from './json-schema.ts'
import { type DocumentUrls, queryParameters, server } from './openapi-operation.ts'
import { problemAnswer } from './problem-answers.ts'
import type { Tag } from './tags.ts'

/** Who asks for these shows no token; they stand below the site's address, not below the API's. */
export function publicPaths({ siteUrl, docsUrl }: DocumentUrls): Record<string, JsonSchema> {
  const servers = [server(siteUrl)]
  const paths = { ...pingPaths(docsUrl), ...badgePaths(docsUrl) }
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers, ...item }]))
}

function pingPaths(docsUrl: string): Record<string, JsonSchema> {
  const description = `Records that the job ran, once that is durable. A body is ignored but for its first 100 kB, which are kept with the ping. GET, HEAD and POST do the same. ${RATE_LIMITS.perHeartbeat} requests a minute for each token, ${RATE_LIMITS.pingsPerAddress} for each IP address.`
  const signals =
    '`start` and `log` only leave a note. `fail` and an exit status other than 0 are a failed check at once; 0 is a success.'
  const answers = {
    204: { description: 'Recorded. There is no body.' },
    ...problems(['notFound', 'tooManyRequests', 'internal'], docsUrl),
  }
  const token = pathParameter('token', 'The `heartbeat_token` of the monitor.', { ...UUID }, UUID_EXAMPLE)
  const signal = pathParameter('signal', signals, { type: 'string', maxLength: 5, pattern: SIGNAL }, 'start')
  const run = {
    name: 'rid',
    in: 'query',
    description: 'Joins the start and the end of one run. Anything but a UUID is ignored.',
    schema: { type: 'string', maxLength: 2_048 },
  }
  const item = (name: string, summary: string, more: string, parameters: JsonSchema[]) => {
    const method = (suffix: string, summarySuffix: string) => ({
      ...open(
        'Heartbeats',
        `${name}${suffix}`,
        `${summary}${summarySuffix}`,
        `${description} ${more}`.trim(),
      ),
      parameters,
      responses: answers,
    })
    return { get: method('ByGet', ' by GET'), head: method('ByHead', ' by HEAD'), post: method('', '') }
  }
  return {
    '/ping/{token}': item('pingHeartbeat', 'Tell that a job ran', '', [token, run]),
    '/ping/{token}/{signal}': item('signalHeartbeat', 'Tell how a job does', signals, [token, signal, run]),
  }
}

const SIGNAL = '^(start|fail|log|[0-9]{1,3})$'
const UUID = { type: 'string', format: 'uuid', maxLength: 36 }
const UUID_EXAMPLE = '3f1b0c9e-7a52-4b0e-9c3e-2f6d8a4b5c6d'

const BADGE_HEADERS: readonly AnswerHeader[] = ['Access-Control-Allow-Origin', 'Cache-Control']

function badgePaths(docsUrl: string): Record<string, JsonSchema> {
  const { query = {} } = jsonSchemasOf({ query: BadgeQuery }, 'input')
  const badge = pathParameter(
    'badge',
    "The badge id, from the monitor's page in the dashboard.",
    UUID,
    UUID_EXAMPLE,
  )
  const parameters = [badge, ...queryParameters(query)]
  const codes = ['notFound', 'validationFailed', 'tooManyRequests', 'internal'] as const
  const limit = `${RATE_LIMITS.badgesPerAddress} requests a minute for each IP address.`
  const fresh = headerRefs([...BADGE_HEADERS, 'ETag'])
  const unchanged = {
    304: { description: 'Unchanged since the version that `If-None-Match` names.', headers: fresh },
  }
  const picture = (status: number) => ({
    description: status === 200 ? 'The badge.' : PICTURED,
    headers:
      status === 429
        ? { ...headerRefs(['Retry-After', ...BADGE_HEADERS]) }
        : status === 200
          ? fresh
          : headerRefs(BADGE_HEADERS),
    content: { 'image/svg+xml': { schema: { type: 'string', maxLength: 100_000 } } },
  })
  return Object.fromEntries(
    BadgeKind.options.flatMap((kind) => {
      const operationId = `get${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}Badge`
      const json = {
        ...open(
          'Badges',
          `${operationId}Data`,
          `Show the ${kind} badge as data`,
          `In the endpoint schema of shields.io. ${limit}`,
        ),
        parameters,
        responses: {
          200: {
            description: 'The badge.',
            headers: fresh,
            content: { 'application/json': { schema: schemaRef('BadgeData'), example: BADGE_EXAMPLE } },
          },
          ...unchanged,
          ...problems(codes, docsUrl, BADGE_HEADERS),
        },
      }
      const svg = {
        ...open(
          'Badges',
          operationId,
          `Show the ${kind} badge as a picture`,
          `A refusal is a picture, too, which says why. ${limit}`,
        ),
        parameters,
        responses: {
          200: picture(200),
          ...unchanged,
          404: picture(404),
          422: picture(422),
          429: picture(429),
          ...problems(['internal'], docsUrl),
        },
      }
      return [
        [`/badge/{badge}/${kind}.json`, { get: json }],
        [`/badge/{badge}/${kind}.svg`, { get: svg }],
      ]
    }),
  )
}

const PICTURED = 'A picture that says what is wrong.'
const BADGE_EXAMPLE = { schemaVersion: 1, label: 'status', message: 'up', color: '#1a7f37' }

function open(tag: Tag, operationId: string, summary: string, description: string) {
  return { operationId, tags: [tag], summary, description, security: [] }
}

function pathParameter(name: string, description: string, schema: JsonSchema, example: string): JsonSchema {
  return { name, in: 'path', required: true, description, schema, example }
}

function problems(
  codes: readonly ProblemCode[],
  docsUrl: string,
  headers: readonly AnswerHeader[] = [],
): JsonSchema {
  return Object.fromEntries(
    codes.map((code) => [PROBLEMS[code].status, problemAnswer(code, docsUrl, headers)]),
  )
}
