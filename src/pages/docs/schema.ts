import { MAX_INT32 } from '../../core/record-id.ts'

/** A JSON Schema, or another object of an OpenAPI document. */
export type Json = Record<string, unknown>

/** Bounds that only reflect the integer type. */
const NO_BOUNDS = new Set([
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  MAX_INT32,
  Number.POSITIVE_INFINITY,
])

export type Resolve = (schema: Json) => Json

/** The members of an object as a Markdown table; '' if it has none. `resolve` follows references. */
export function memberTable(schema: Json, isRequest: boolean, resolve: Resolve): string {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(withInner)
  if (members.length === 0) return ''
  const required = new Set((schema.required ?? []) as string[])
  const rows = members.map(([name, member]) => {
    const need = isRequest ? ` ${needOf(member, required.has(name))} |` : ''
    return `| \`${name}\` | ${cell(typeText(member))} |${need} ${cell(meaningOf(member))} |`
  })
  const head = isRequest
    ? ['| Field | Type | Default | Meaning |', '|---|---|---|---|']
    : ['| Field | Type | Meaning |', '|---|---|---|']
  return [...head, ...rows, '', ...conditions(schema, resolve)].join('\n')
}

/** A member, followed by its own members if it is an object. */
function withInner([name, member]: [string, Json]): [string, Json][] {
  const inner = Object.entries((member.properties ?? {}) as Record<string, Json>)
  return [[name, member], ...inner.map(([key, schema]): [string, Json] => [`${name}.${key}`, schema])]
}

function needOf(schema: Json, isRequired: boolean): string {
  if (isRequired) return '**required**'
  return schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``
}

/** Describes a value's type; named schemas link to their description. */
export function typeText(schema: Json): string {
  if (typeof schema.$ref === 'string') return schemaLink(schema.$ref)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return choices.map(typeText).join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(', ')
  const types = [schema.type ?? 'anything'].flat() as string[]
  const named = types.map((type) =>
    type === 'array' && schema.items ? `array of ${typeText(schema.items as Json)}` : type,
  )
  return named.join(' or ')
}

export function schemaLink(ref: string): string {
  const name = ref.split('/').at(-1) ?? ref
  return `[${name}](#schema-${name.toLowerCase()})`
}

export function meaningOf(schema: Json): string {
  const description = typeof schema.description === 'string' ? schema.description : ''
  return [description, ...boundsOf(schema)].filter(Boolean).join(' ')
}

/** Bounds as short sentences. */
export function boundsOf(schema: Json): string[] {
  const items = (schema.items ?? {}) as Json
  return [
    rangeOf(schema.minimum, schema.maximum, ''),
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' items'),
    rangeOf(schema.minProperties, schema.maxProperties, ' members'),
    schema.uniqueItems ? 'No duplicates.' : '',
    schema.type === 'array' ? rangeOf(items.minimum, items.maximum, ' each') : '',
    typeof schema.format === 'string' && !/^int\d+$/.test(schema.format) ? `Format: ${schema.format}.` : '',
  ].filter(Boolean)
}

function rangeOf(least: unknown, most: unknown, unit: string): string {
  const low = typeof least === 'number' && !NO_BOUNDS.has(least) ? least : null
  const high = typeof most === 'number' && !NO_BOUNDS.has(most) ? most : null
  if (low !== null && low === high) return `Always ${count(low)}${unit}.`
  if (low !== null && high !== null) return `${count(low)} to ${count(high)}${unit}.`
  if (high !== null) return `At most ${count(high)}${unit}.`
  return low !== null && low > 1 ? `At least ${count(low)}${unit}.` : ''
}

function count(value: number): string {
  return value.toLocaleString('en-GB')
}

/** Members that are required unless another has certain values, from `anyOf` of those values and the member. */
function conditions(schema: Json, resolve: Resolve): string[] {
  const rules = (schema.allOf ?? []) as { anyOf?: Json[] }[]
  const lines = rules.flatMap(({ anyOf: [unless, needs] = [] }) => {
    const [named] = Object.entries((unless?.properties ?? {}) as Record<string, Json>)
    const needed = ((needs?.required ?? []) as string[]).map((key) => `\`${key}\``)
    if (!named || needed.length === 0) return []
    const [name, { enum: values }] = named
    return [`- ${needed.join(' and ')} ${whenText(name, values as string[], schema, resolve)}`]
  })
  return lines.length > 0 ? ['Required besides:', '', ...lines, ''] : []
}

/** Lists the values to which the rule applies, or the exceptions, whichever are fewer. */
function whenText(name: string, excluded: string[], schema: Json, resolve: Resolve): string {
  const { [name]: member = {} } = schema.properties as Record<string, Json>
  const all = (resolve(member).enum ?? []) as string[]
  const meant = all.filter((value) => !excluded.includes(value))
  const list = (values: string[]) => values.map((value) => `\`${value}\``).join(', ')
  const isShorter = meant.length > 0 && meant.length < excluded.length
  return isShorter ? `where \`${name}\` is ${list(meant)}` : `unless \`${name}\` is ${list(excluded)}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
