/** A JSON Schema, or another object of an OpenAPI document. */
export type Json = Record<string, unknown>

/** Bounds that only say what an integer can be at all. */
const NO_BOUNDS = new Set([
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 31 - 1,
  Number.POSITIVE_INFINITY,
])

/** The members of an object as a Markdown table; '' where it has none. */
export function memberTable(schema: Json, isRequest: boolean): string {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  if (members.length === 0) return ''
  const required = new Set((schema.required ?? []) as string[])
  const rows = members.map(([name, member]) => {
    const need = isRequest ? ` ${needOf(member, required.has(name))} |` : ''
    return `| \`${name}\` | ${cell(typeText(member))} |${need} ${cell(meaningOf(member))} |`
  })
  const head = isRequest
    ? ['| Field | Type | Default | Meaning |', '|---|---|---|---|']
    : ['| Field | Type | Meaning |', '|---|---|---|']
  return [...head, ...rows, '', ...conditions(schema)].join('\n')
}

function needOf(schema: Json, isRequired: boolean): string {
  if (isRequired) return '**required**'
  return schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``
}

/** What a value may be, in words; named schemas link to where they are described. */
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
  if (low !== null && high !== null) return `${count(low)} to ${count(high)}${unit}.`
  if (high !== null) return `At most ${count(high)}${unit}.`
  return low !== null && low > 1 ? `At least ${count(low)}${unit}.` : ''
}

function count(value: number): string {
  return value.toLocaleString('en-GB')
}

/** `if` one member has a value, `then` others are needed. */
function conditions(schema: Json): string[] {
  const rules = (schema.allOf ?? []) as { if?: Json; then?: Json }[]
  const lines = rules.flatMap(({ if: asked, then: needs }) => {
    const [when] = Object.entries((asked?.properties ?? {}) as Record<string, Json>)
    if (!when || !needs) return []
    const [name, is] = when
    const values = [is.const ?? is.enum].flat().map((value) => `\`${value}\``)
    const inside = Object.entries((needs.properties ?? {}) as Record<string, Json>).flatMap(
      ([of, { required }]) => ((required ?? []) as string[]).map((key) => `${of}.${key}`),
    )
    const needed = [...((needs.required ?? []) as string[]), ...inside].map((key) => `\`${key}\``)
    return [`- ${needed.join(' and ')} where \`${name}\` is ${values.join(', ')}`]
  })
  return lines.length > 0 ? ['Required besides:', '', ...lines, ''] : []
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
