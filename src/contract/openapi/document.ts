import type * as z from 'zod'
import { RATE_LIMITS } from '../../core/request-limits.ts'
import { headerComponents } from '../answer-headers.ts'
import { contract } from '../contract.ts'
import type { PublicOperation } from '../operation.ts'
import { badgePaths } from './badges.ts'
import { componentSchemas, NAMED, schemaRef } from './components.ts'
import { type JsonSchema, jsonSchemasOf } from './json-schema.ts'
import {
  type DocumentUrls,
  describeOperation,
  type OperationSchemas,
  refusalComponents,
  server,
} from './operation.ts'
import { manualPaths, pingPaths } from './pings.ts'
import { problemSchemas } from './problem-answers.ts'
import { TAGS } from './tags.ts'
import { webhooks } from './webhook.ts'

const OPERATIONS = Object.entries(contract) as [string, PublicOperation][]

/** `version` is the date of the newest changelog entry. */
export type OpenApiOptions = DocumentUrls & { version: string }

export type OpenApiDocument = {
  openapi: '3.1.1'
  info: JsonSchema
  servers: JsonSchema[]
  security: JsonSchema[]
  tags: { name: string; description: string }[]
  /** Path to method to operation. */
  paths: Record<string, JsonSchema>
  webhooks: Record<string, JsonSchema>
  components: {
    securitySchemes: JsonSchema
    schemas: Record<string, JsonSchema>
    headers: JsonSchema
    responses: JsonSchema
  }
}

/** The whole API as an OpenAPI 3.1 document, derived from the contract and from core's schemas. */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { siteUrl, baseUrl, docsUrl, version } = options
  const { made, schemasOf } = makeSchemas()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Upbeat',
      version,
      summary: 'Uptime monitoring for a team',
      description: introduction(docsUrl),
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Documentation', url: docsUrl },
    },
    servers: [server(baseUrl)],
    security: [{ apiToken: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...contractPaths(options, schemasOf), ...openPaths(options) },
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'upb_…',
          description: `A team's token, created by an owner or admin in the dashboard's settings (${siteUrl}). It acts with its creator's current role.`,
        },
      },
      schemas: { ...componentSchemas(made), ...problemSchemas() },
      headers: headerComponents(),
      responses: refusalComponents(docsUrl),
    },
  }
}

function introduction(docsUrl: string): string {
  return `Monitors, checks, incidents and notification contacts of a team, for scripts, pipelines and AI agents.

- Send \`Authorization: Bearer TOKEN\`, and bodies as \`application/json\`. Unknown members are ignored.
- A record, or a list of records, is in \`data\`. Times are UTC with microseconds and a trailing \`Z\`.
- Every field is always present; one without a value is null. New fields and new enum values may appear: ignore fields
  that you do not know, and read an unknown \`status\` as \`pending\`.
- Refusals are problem documents (RFC 9457, \`application/problem+json\`). An unknown path is 404, an unknown
  method 405 with \`Allow\`. HEAD works wherever GET does.
- Each user may send ${RATE_LIMITS.perUser} requests per minute across all tokens.

Changes are announced in the [changelog](${docsUrl}/changelog).`
}

function contractPaths(urls: DocumentUrls, schemasOf: SchemasOf): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {}
  for (const [id, operation] of OPERATIONS) {
    const described = describeOperation(id, operation, schemasOf(id, operation), urls)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described }
  }
  return paths
}

/** Operations without a token live below the site's address, not below the API's base URL. */
function openPaths({ siteUrl, docsUrl }: DocumentUrls): Record<string, JsonSchema> {
  const paths = { ...pingPaths(docsUrl), ...manualPaths(docsUrl), ...badgePaths(docsUrl) }
  const servers = [server(siteUrl)]
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers, ...item }]))
}

type SchemasOf = (id: string, operation: PublicOperation) => OperationSchemas

/** The direction of each part of an operation. */
const PARTS = { query: 'input', body: 'input', output: 'output' } as const

/** Converts all schemas together. Operations refer to named schemas and contain the others inline. */
function makeSchemas() {
  const named = { input: { ...NAMED.input }, output: { ...NAMED.output } }
  const names = new Map<z.ZodType, string>()
  for (const schemas of Object.values(NAMED)) {
    for (const [name, schema] of Object.entries(schemas)) names.set(schema, name)
  }
  const parts = Object.keys(PARTS) as (keyof typeof PARTS)[]
  for (const [id, operation] of OPERATIONS) {
    for (const part of parts) {
      const schema = operation[part]
      if (schema && !names.has(schema)) named[PARTS[part]][`${id}.${part}`] = schema
    }
  }
  const made = { input: jsonSchemasOf(named.input, 'input'), output: jsonSchemasOf(named.output, 'output') }
  const schemasOf: SchemasOf = (id, operation) => {
    const used = parts.filter((part) => operation[part])
    return Object.fromEntries(
      used.map((part) => {
        const name = names.get(operation[part] as z.ZodType)
        return [part, name ? schemaRef(name) : made[PARTS[part]][`${id}.${part}`]]
      }),
    )
  }
  return { made, schemasOf }
}
