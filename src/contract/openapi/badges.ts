import { PROBLEMS, type ProblemCode } from '../../core/errors.ts'
import { BadgeKind, BadgeQuery } from '../../core/monitors/badge.ts'
import { RATE_LIMITS } from '../../core/request-limits.ts'
import { capitalized } from '../../core/text.ts'
import { type AnswerHeader, headerRefs } from '../answer-headers.ts'
import { schemaRef } from './components.ts'
import { type JsonSchema, jsonSchemasOf } from './json-schema.ts'
import { queryParameters } from './operation.ts'
import { openOperation, openProblems, uuidInPath } from './public.ts'

const HEADERS: readonly AnswerHeader[] = ['Access-Control-Allow-Origin', 'Cache-Control']
const REFUSALS = ['notFound', 'validationFailed', 'tooManyRequests'] as const satisfies ProblemCode[]
const MISSING = 'No such badge.'
const LIMIT = `${RATE_LIMITS.badgesPerAddress} requests per minute and IP address.`
const EXAMPLE = { schemaVersion: 1, label: 'status', message: 'up', color: '#1a7f37' }
const PICTURE = { 'image/svg+xml': { schema: { type: 'string', maxLength: 100_000 } } }

/** Badges of a monitor as image and as data, served below the site's address. */
export function badgePaths(docsUrl: string): Record<string, JsonSchema> {
  const { query } = jsonSchemasOf({ query: BadgeQuery }, 'input')
  const badge = uuidInPath('badge', "The badge's id, from the monitor's page in the dashboard.")
  const parameters = [badge, ...queryParameters(query)]
  return Object.fromEntries(
    BadgeKind.options.flatMap((kind) => [
      [`/badge/{badge}/${kind}.json`, { get: { ...dataOf(kind, docsUrl), parameters } }],
      [`/badge/{badge}/${kind}.svg`, { get: { ...pictureOf(kind, docsUrl), parameters } }],
    ]),
  )
}

function dataOf(kind: BadgeKind, docsUrl: string): JsonSchema {
  const description = `In the endpoint schema of shields.io. ${LIMIT}`
  return {
    ...openOperation('Badges', `${idOf(kind)}Data`, `Show the ${kind} badge as data`, description),
    responses: {
      ...shown({ 'application/json': { schema: schemaRef('BadgeData'), example: EXAMPLE } }),
      ...openProblems([...REFUSALS, 'internal'], docsUrl, MISSING, HEADERS),
    },
  }
}

function pictureOf(kind: BadgeKind, docsUrl: string): JsonSchema {
  const description = `A refusal is an image, too, and names the reason. ${LIMIT}`
  const refused = REFUSALS.map((code) => {
    const own: readonly AnswerHeader[] = code === 'tooManyRequests' ? ['Retry-After'] : []
    const headers = headerRefs([...own, ...HEADERS])
    return [
      PROBLEMS[code].status,
      { description: 'A badge that names the reason.', headers, content: PICTURE },
    ]
  })
  return {
    ...openOperation('Badges', idOf(kind), `Show the ${kind} badge as an image`, description),
    responses: {
      ...shown(PICTURE),
      ...Object.fromEntries(refused),
      ...openProblems(['internal'], docsUrl, MISSING),
    },
  }
}

function shown(content: JsonSchema): JsonSchema {
  const headers = headerRefs([...HEADERS, 'ETag'])
  return {
    200: { description: 'The badge.', headers, content },
    304: { description: 'Unchanged since the version in `If-None-Match`.', headers },
  }
}

function idOf(kind: BadgeKind): string {
  return `get${capitalized(kind)}Badge`
}
