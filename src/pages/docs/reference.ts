import { openApiDocument } from '../../contract/openapi/document.ts'
import { fillPath } from '../../contract/operation.ts'
import type { DocsFacts } from './facts.ts'
import { boundsOf, type Json, meaningOf, memberTable, type Resolve, schemaLink, typeText } from './schema.ts'

const METHODS = ['get', 'post', 'patch', 'put', 'delete', 'head']
/** Shorter bodies fit on one line. */
const ONE_LINE = 76

type Operation = Json & {
  operationId: string
  tags: string[]
  summary: string
  description: string
  requestBody?: { content?: Record<string, Json> }
}
type Placed = { method: string; path: string; url: string; operation: Operation }

/** The whole API on one page, with an anchor per operation, generated from the OpenAPI document. */
export function referenceText(facts: DocsFacts): string {
  const document = openApiDocument(facts)
  const placed = Object.entries(document.paths).flatMap(([path, item]) => placedIn(path, item, facts.baseUrl))
  const resolve = (schema: Json) => resolved(schema, document.components)
  const tags = document.tags.map(({ name, description }) => {
    const own = placed.filter(({ operation }) => operation.tags.includes(name))
    const twins = new Map<string, Placed>()
    const texts = own.map((one) => {
      const first = twins.get(one.path)
      if (first && isTwin(first, one)) return twinText(one, first)
      twins.set(one.path, one)
      return operationText(one, facts, resolve)
    })
    return `## ${name}\n\n${description}\n\n${texts.join('\n')}`
  })
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaText(name, schema, resolve),
  )
  return `# API reference

Version ${document.info.version}, generated from the [OpenAPI document](${facts.baseUrl}/openapi.json). Paths begin with
\`${facts.baseUrl}\` unless they show another address. [The API](api.md) describes what all operations have in
common, and [errors](problems.md) each status. The examples read the address of the service from \`UPBEAT_URL\` and the
token from \`UPBEAT_TOKEN\`. The payload of webhooks has
[a page of its own](webhooks.md).

${tags.join('\n')}
## Schemas

${schemas.join('\n')}`
}

function placedIn(path: string, item: Json, baseUrl: string): Placed[] {
  const [server] = (item.servers ?? [{ url: baseUrl }]) as { url: string }[]
  return METHODS.flatMap((method) => {
    const operation = item[method] as Operation | undefined
    return operation ? [{ method: method.toUpperCase(), path, url: server?.url ?? baseUrl, operation }] : []
  })
}

/** Whether another method does the same. */
function isTwin(a: Placed, b: Placed): boolean {
  const { description, deprecated } = b.operation
  const asked = ({ operation }: Placed) =>
    JSON.stringify([operation.parameters, operation.security, operation.requestBody?.content])
  const isSame = deprecated === true || description === a.operation.description
  return isSame && asked(a) === asked(b)
}

function twinText({ method, path, operation }: Placed, first: Placed): string {
  const { summary, operationId, description, deprecated } = operation
  const about = deprecated ? `. ${description}` : '.'
  return `### ${summary} {#${operationId}}

\`${method} ${path}\` does the same as [\`${first.method}\`](#${first.operation.operationId})${about}
`
}

function operationText({ method, path, url, operation }: Placed, facts: DocsFacts, resolve: Resolve) {
  const { operationId, summary, description, deprecated } = operation
  const shown = url === facts.baseUrl ? path : url + path
  const place = { method, url: url + filled(path, operation), operation }
  return [
    `### ${summary} {#${operationId}}`,
    `\`${method} ${shown}\`${deprecated ? ' – **deprecated**' : ''}`,
    description,
    parametersText((operation.parameters ?? []) as Json[]),
    bodyText(operation, resolve),
    'Example:',
    fence('sh', curl(place, facts)),
    exampleAnswer(operation),
    otherBodies(operation),
    answersText(operation, resolve),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}

function parametersText(parameters: Json[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const value = schema as Json
    const meaning = [description, ...boundsOf(value)].filter(Boolean).join(' ')
    const need = required ? '**required**' : value.default === undefined ? '' : `\`${value.default}\``
    return `| \`${name}\` | ${place} | ${typeText(value)} | ${need} | ${meaning.replaceAll('|', '\\|')} |`
  })
  return ['| Parameter | In | Type | Default | Meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

function bodyText(operation: Operation, resolve: Resolve): string {
  const schema = schemaOf(operation.requestBody)
  if (!schema) return ''
  const named = typeof schema.$ref === 'string' ? `Body: ${schemaLink(schema.$ref)}` : 'Body:'
  const choices = resolve(schema).oneOf as Json[] | undefined
  const table = choices
    ? `One of ${choices.map(typeText).join(', ')}.`
    : memberTable(resolve(schema), true, resolve)
  return `${named}\n\n${table}`.trim()
}

function answersText(operation: Operation, resolve: Resolve): string {
  const answers = Object.entries(operation.responses as Record<string, Json>).map(
    ([status, answer]) => [status, resolve(answer)] as const,
  )
  const rows = answers.map(([status, { description, headers, content }]) => {
    const [type, media] = Object.entries((content ?? {}) as Record<string, Json>)[0] ?? []
    const schema = media?.schema as Json | undefined
    const body = schema ? `${bodyName(schema)} (\`${type}\`)` : ''
    const names = Object.keys((headers ?? {}) as Json).map((name) => `\`${name}\``)
    return `| ${status} | ${description} | ${body} | ${names.join(', ')} |`
  })
  return ['| Status | When | Body | Headers |', '|---|---|---|---|', ...rows].join('\n')
}

/** The response to the example, if it has a body. */
function exampleAnswer({ responses }: Operation): string {
  const [success] = Object.values(responses as Record<string, Json>)
  const content = success?.content as Record<string, Json> | undefined
  const example = content?.['application/json']?.example
  return example === undefined ? '' : `It answers:\n\n${fence('json', pretty(example))}`
}

function bodyName(schema: Json): string {
  const { data } = (schema.properties ?? {}) as Record<string, Json>
  return data ? `${typeText(data)} in \`data\`` : typeText(schema)
}

function curl(
  { method, url, operation }: { method: string; url: string; operation: Operation },
  facts: DocsFacts,
) {
  const address = url.replace(facts.siteUrl, '$UPBEAT_URL')
  const isOpen = Array.isArray(operation.security) && operation.security.length === 0
  const body = bodiesOf(operation)[0]?.value
  const parts = [
    `curl -sS --fail-with-body${methodFlag(method, body !== undefined)} "${address}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $UPBEAT_TOKEN"']),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${pretty(body).replaceAll("'", "'\\''")}'`]),
  ]
  return parts.join(' \\\n  ')
}

function methodFlag(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' -I'
  return method === (hasBody ? 'POST' : 'GET') ? '' : ` -X ${method}`
}

/** The path filled with each parameter's example. */
function filled(path: string, { parameters }: Operation): string {
  const examples = new Map(((parameters ?? []) as Json[]).map(({ name, example }) => [name, example]))
  return fillPath(path, (parameter) => String(examples.get(parameter) ?? `{${parameter}}`))
}

function otherBodies(operation: Operation): string {
  const others = bodiesOf(operation).slice(1)
  if (others.length === 0) return ''
  const blocks = others.map(({ summary, value }) => `${summary}:\n\n${fence('json', pretty(value))}`)
  return `<details><summary>Other bodies</summary>\n\n${blocks.join('\n\n')}\n\n</details>`
}

function bodiesOf({ requestBody }: Operation): { summary: string; value: unknown }[] {
  const examples = requestBody?.content?.['application/json']?.examples ?? {}
  return Object.values(examples as Record<string, { summary: string; value: unknown }>)
}

function schemaOf(body: Operation['requestBody']): Json | undefined {
  return body?.content?.['application/json']?.schema as Json | undefined
}

function schemaText(name: string, schema: Json, resolve: Resolve): string {
  const isRequest = /(Create|Patch|Config)$/.test(name)
  const choices = (schema.oneOf ?? []) as Json[]
  const table = memberTable(schema, isRequest, resolve)
  const text = [
    `### ${name} {#schema-${name.toLowerCase()}}`,
    meaningOf({ description: schema.description }),
    choices.length > 0 ? `One of ${choices.map(typeText).join(', ')}.` : '',
    table || (choices.length > 0 ? '' : typeText(schema)),
  ]
  return text.filter(Boolean).join('\n\n').concat('\n')
}

/** Resolves a reference within the document. */
function resolved(schema: Json, components: object): Json {
  if (typeof schema.$ref !== 'string') return schema
  const [kind = '', name = ''] = schema.$ref.replace('#/components/', '').split('/')
  return ((components as Record<string, Record<string, Json>>)[kind]?.[name] ?? {}) as Json
}

function pretty(value: unknown): string {
  const short = JSON.stringify(value)
  if (short.length <= ONE_LINE) return short
  // Puts lists of plain values on one line.
  return JSON.stringify(value, null, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (_, values: string) => `[${values.replaceAll(/\n\s+/g, ' ')}]`,
  )
}

function fence(lang: string, text: string): string {
  return `\`\`\`${lang}\n${text}\n\`\`\``
}
