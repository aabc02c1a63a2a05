import { styleText } from 'node:util'
import { maskConfig } from '../../core/alerting/contact.ts'
import { withoutDefaultValues } from '../../core/monitors/declaration.ts'
import { maskedOptions } from '../../core/monitors/options/secret-options.ts'
import { type Change, placeOf, type Reconciliation } from '../../core/monitors/reconcile.ts'
import { secrecyOf } from '../../core/monitors/secret-settings.ts'
import { MASK } from '../../core/teams/access.ts'

const COLORS = { create: 'green', update: 'yellow', delete: 'red' } as const
const MARKS = { create: '+', update: '~', delete: '-' } as const

export type Showing = {
  color: boolean
  /** Whether the value of `contacts.0.config.url` must be hidden. */
  isHidden: (path: string) => boolean
}

/** Formats changes as a diff with a summary line. */
export function changesText(
  { changes, undeclared, notes, unchanged }: Reconciliation,
  showing: Showing,
): string {
  const lines = changes.flatMap((change) => changeLines(change, showing))
  if (undeclared.length > 0) {
    lines.push('Not declared, and left alone (--prune deletes them):')
    lines.push(...undeclared.map(({ kind, name, id }) => `    ${kind} ${name} (${id})`))
  }
  lines.push(...notes.map((note) => `Note: ${note}`))
  lines.push(sum(changes, unchanged))
  return lines.join('\n')
}

function sum(changes: Change[], unchanged: number): string {
  if (changes.length === 0) return `Nothing to change: ${unchanged} as declared.`
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  return `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete, ${unchanged} as declared.`
}

export function changeName(change: Change): string {
  return `${change.kind} ${change.name}`
}

function changeLines(change: Change, { color, isHidden }: Showing): string[] {
  const { action, kind } = change
  const paint = (text: string) => (color ? styleText(COLORS[action], text, { validateStream: false }) : text)
  const head = paint(`${MARKS[action]} ${changeName(change)}${aboutOf(change)}`)
  if (action === 'delete') return [head]
  const hidden = (field: string) => isHidden(`${placeOf(change)}.${field}`)
  const show = (field: string, value: unknown) => (hidden(field) ? MASK : fieldText(field, value))
  if (action === 'create') {
    const { name: _name, type: _type, ...fields } = withoutDefaultValues(kind, change.declared)
    return [head, ...flat(fields).map(([field, value]) => `    ${field}: ${show(field, value)}`)]
  }
  return [
    head,
    ...change.fields.map(({ field, from, to }) => `    ${field}: ${show(field, from)} → ${show(field, to)}`),
  ]
}

function aboutOf(change: Change): string {
  if (change.kind === 'team') return ''
  return ` (${change.action === 'create' ? change.declared.type : change.id})`
}

/** Lists the keys of a config and the options as fields of their own. */
function flat(fields: Record<string, unknown>): [field: string, value: unknown][] {
  return Object.entries(fields).flatMap(([field, value]) =>
    field === 'config' || field === 'options'
      ? Object.entries(value as object).map(([key, each]) => [`${field}.${key}`, each] as [string, unknown])
      : [[field, value]],
  )
}

/** Formats a value, with secrets masked as they are for viewers. */
function fieldText(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  const secrecy = secrecyOf(field)
  if (secrecy === 'whole') return MASK
  const [, key] = /^config\.(.+)$/.exec(field) ?? []
  if (key !== undefined) return maskConfig({ [key]: String(value) })[key] ?? MASK
  const [, option] = /^options\.(.+)$/.exec(field) ?? []
  if (option !== undefined) return optionText(option, value)
  if (secrecy === 'values') {
    return Object.keys(value as object)
      .map((name) => `${name}: ${MASK}`)
      .join(', ')
  }
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function optionText(name: string, value: unknown): string {
  const shown = (maskedOptions({ [name]: value }) as Record<string, unknown>)[name]
  return typeof shown === 'object' ? JSON.stringify(shown) : String(shown)
}
