import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Field, fieldsOf } from '../contract/fields.ts'
import { ContactConfigs } from '../core/alerting/contact.ts'
import { MonitorOptions } from '../core/monitors/options/monitor-options.ts'
import type { FieldErrors } from '../core/validation.ts'
import { WrongUsage } from './output.ts'

/** The keys of contacts' configs, each a flag of its own. */
const CONFIG_KEYS = [...new Set(Object.values(ContactConfigs).flatMap(({ shape }) => Object.keys(shape)))]

/** The kind of each option of a monitor. */
const MONITOR_OPTIONS = new Map(fieldsOf(MonitorOptions).map(({ name, kind }) => [name, kind]))

type Values = Record<string, unknown>

/** Adds a flag for every field: `check_interval_minutes` becomes `--check-interval-minutes`. */
export function addFlags(command: Command, fields: Field[], { clearing }: { clearing: boolean }): void {
  for (const field of fields) {
    command.addOption(field.name === 'options' ? monitorOptionFlag(field) : optionOf(field))
    if (field.name === 'config') addConfigFlags(command)
    if (field.kind === 'boolean') command.addOption(new Option(`--no-${kebab(field.name)}`, 'the opposite'))
    else if (clearing && field.nullable) {
      command.addOption(new Option(`--no-${kebab(field.name)}`, `remove the ${words(field.name)}`))
    }
  }
}

function optionOf(field: Field): Option {
  const flag = `--${kebab(field.name)}`
  const help = helpOf(field)
  if (field.kind === 'boolean') return new Option(flag, help)
  const option = new Option(`${flag} <${placeholderOf(field)}>`, help)
  if (field.kind === 'list') option.argParser((value) => listOf(field, value))
  else if (field.kind === 'pairs') {
    option.argParser((value, former) => ({ ...(former as object | undefined), ...pairOf(value) }))
  } else if (field.kind === 'object') option.argParser(objectOf)
  else if (field.choices) option.choices(field.choices)
  // A config can also be given in parts.
  return option.makeOptionMandatory(field.required && field.kind !== 'object')
}

/** One option of a monitor: a text, number or switch after `=`, JSON after `:=`. Nothing after them removes it. */
function monitorOptionFlag(field: Field): Option {
  const option = new Option(
    '--option <key=value>',
    `${field.description} Give one for each; key:= takes JSON`,
  )
  return option.argParser((text, former) => ({ ...(former as object | undefined), ...monitorOptionOf(text) }))
}

function monitorOptionOf(text: string): Record<string, unknown> {
  const [, name = '', isJson, value = ''] = /^([a-z0-9_]+)(:?)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError("It takes a name and a value, such as 'attempts=3'.")
  if (value === '') return { [name]: null }
  if (!isJson) return { [name]: plainValue(MONITOR_OPTIONS.get(name), value) }
  try {
    return { [name]: JSON.parse(value) }
  } catch {
    throw new InvalidArgumentError(`What stands after ${name}:= is no JSON.`)
  }
}

/** The options that were given one by one; false where `--no-options` removes them all, without which its value is true. */
function monitorOptionsIn({ option, options }: Values): unknown {
  return option ?? (options === false ? false : undefined)
}

/** Text that is no number or switch stays as it is, so that the service says what it takes. */
function plainValue(kind: Field['kind'] | undefined, value: string): unknown {
  if (kind === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function addConfigFlags(command: Command): void {
  for (const key of CONFIG_KEYS) {
    const types = Object.entries(ContactConfigs).filter(([, { shape }]) => key in shape)
    const help = `${words(key)} of a contact of type ${types.map(([type]) => type).join(' or ')}`
    command.addOption(new Option(`--config.${kebab(key)} <text>`, help))
  }
}

/** The given values as the API takes them, without flags that were not given. */
export function valuesOf(fields: Field[], options: Values): Values {
  const values: Values = {}
  for (const field of fields) {
    const given = field.name === 'options' ? monitorOptionsIn(options) : options[camel(kebab(field.name))]
    if (given === undefined) continue
    if (given === false && field.kind !== 'boolean') values[field.name] = null
    else if (field.kind === 'integer')
      values[field.name] = integerOf(`--${kebab(field.name)}`, given as string)
    else values[field.name] = given
  }
  const parts = CONFIG_KEYS.map((key) => [key, options[camel(`config.${kebab(key)}`)]] as const)
  const given = parts.filter(([, value]) => value !== undefined)
  if (given.length > 0)
    values.config = { ...(values.config as object | undefined), ...Object.fromEntries(given) }
  return values
}

/** The errors by flag, one per line. */
export function flagFaults(errors: FieldErrors, fields: Field[]): string {
  return Object.entries(errors)
    .flatMap(([path, messages]) => messages.map((message) => flagFault(path, message, fields)))
    .join('\n')
}

function flagFault(path: string, message: string, fields: Field[]): string {
  const [head = '', ...rest] = path.split('.')
  if (head === 'options' && rest.length > 0) return `--option ${message.slice('options.'.length)}`
  if (!fields.some(({ name }) => name === head)) return message
  const isFlag = path === head || (head === 'config' && CONFIG_KEYS.some((key) => path === `config.${key}`))
  if (!isFlag || !message.startsWith(path)) return `--${kebab(head)}: ${message}`
  return `--${kebab(path)}${message.slice(path.length)}`
}

function helpOf(field: Field): string {
  const text = field.description ?? words(field.name)
  const range =
    field.minimum !== undefined && field.maximum !== undefined ? `${field.minimum} to ${field.maximum}` : null
  const fallback = field.default == null ? null : `default: ${[field.default].flat().join(', ')}`
  const notes = [range, fallback].filter((note) => note !== null)
  return notes.length > 0 ? `${text} (${notes.join('; ')})` : text
}

function placeholderOf({ kind, choices }: Field): string {
  if (choices) return kind === 'integer' ? 'number' : 'kind'
  return { text: 'text', integer: 'number', boolean: '', list: 'a,b', pairs: 'name: value', object: 'json' }[
    kind
  ]
}

function integerOf(flag: string, text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  throw new WrongUsage(`option '${flag}' takes a whole number, got ${JSON.stringify(text)}`)
}

function listOf({ ofIntegers }: Field, text: string): unknown[] {
  const entries = text === '' ? [] : text.split(',').map((entry) => entry.trim())
  if (!ofIntegers) return entries
  if (entries.every((entry) => /^\d{1,15}$/.test(entry))) return entries.map(Number)
  throw new InvalidArgumentError('It takes whole numbers, such as 200,201.')
}

function pairOf(text: string): Record<string, string> {
  const colon = text.indexOf(':')
  if (colon > 0) return { [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() }
  throw new InvalidArgumentError("It takes a name and a value, such as 'Accept: text/html'.")
}

function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The error below covers this case.
  }
  throw new InvalidArgumentError(`It takes a JSON object, such as '{"email":"you@example.com"}'.`)
}

export function kebab(name: string): string {
  return name.replaceAll('_', '-')
}

/** The command parser's name of a flag's value. */
function camel(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}
