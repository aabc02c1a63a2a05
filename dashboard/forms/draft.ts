import { splitTags } from '../../src/core/tags/tag-text.ts'
import { t } from '../language/language.ts'
import type { Control, Controls, PartsControl, RecordsControl } from './controls.ts'
import { holdAssertions, readAssertions, sayAssertions } from './monitors/assertion-draft.ts'
import { holdCaptures, readCaptures } from './monitors/capture-draft.ts'
import { holdMembers, holdRule, readRule, tagsHeld } from './monitors/group-draft.ts'
import { ofKind, partsIn, writeParts } from './monitors/parts-draft.ts'
import { holdRecords, recordsIn, sayRecords } from './monitors/records-draft.ts'

/** A name and its value. The key identifies the row while both are edited. */
export type Pair = { key: number; name: string; value: string }

/** The value of a control: text as it was typed, even where the API wants a number. */
export type Held = string | boolean | Pair[]

/** The values of a form by field path. */
export type Draft = Record<string, Held>

/** The draft for the given values of the API, with the schema's defaults for missing ones. */
export function draftOf(controls: Controls, given: Record<string, unknown> = {}): Draft {
  return Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [name, hold(control, given[name] ?? control.initial)]),
  )
}

function hold(control: Control, value: unknown): Held {
  switch (control.kind) {
    case 'tick':
      return value === true
    case 'numbers':
    case 'monitors':
    case 'tags':
      return Array.isArray(value) ? value.join(', ') : ''
    case 'members':
      return holdMembers(value)
    case 'rule':
      return holdRule(value)
    case 'choice':
      // Without an empty one, the first is what its reader sees as chosen.
      return String(value ?? (control.nullable ? '' : control.options[0]))
    case 'assertions':
      return holdAssertions(value)
    case 'parts':
      return holdParts(control, value)
    case 'records':
      return holdRecords(asList(value).map((one) => draftOf(control.controls, one)))
    case 'captures':
      return holdCaptures(value)
    case 'pairs':
      return Object.entries((value ?? {}) as Record<string, string>).map(([name, text], key) => ({
        key,
        name,
        value: text,
      }))
    default:
      return value === null || value === undefined ? '' : String(value)
  }
}

function holdParts(control: PartsControl, value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const given = value as Record<string, unknown>
  const { kind } = ofKind(control, control.chooser === null ? '' : String(given[control.chooser]))
  return kind === null ? '' : writeParts({ kind, typed: draftOf(kind.controls, given) })
}

/** The object without what is empty or stands as it begins; null without any. */
function readParts(control: PartsControl, held: Held | undefined): Record<string, unknown> | null {
  const { kind, typed } = partsIn(control, held)
  if (kind === null) return null
  const set = setMembers(kind.controls, { ...draftOf(kind.controls), ...(typed as Draft) })
  if (control.chooser !== null) set.unshift([control.chooser, kind.name])
  return set.length > 0 ? Object.fromEntries(set) : null
}

/** The members of an object, without what is empty or stands as it begins. */
function setMembers(controls: Controls, draft: Draft): [string, unknown][] {
  return Object.entries(controls).flatMap(([name, one]): [string, unknown][] => {
    const value = readControl(one, draft[name])
    const isUnset = value === '' || (value ?? null) === null || value === (one.initial ?? false)
    return isUnset ? [] : [[name, value]]
  })
}

/** The objects of a list; null without any. */
function readRecords({ controls }: RecordsControl, held: Held | undefined): unknown[] | null {
  const records = recordsIn<Draft>(held)
  if (records.length === 0) return null
  return records.map((draft) => Object.fromEntries(setMembers(controls, draft)))
}

function asList(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : []
}

/** The members that are set: their values may be long, or secrets. */
function sayParts(control: PartsControl, held: Held | undefined): string {
  const { [control.chooser ?? '']: kind, ...rest } = readParts(control, held) ?? {}
  return [...(kind === undefined ? [] : [String(kind)]), ...Object.keys(rest)].join(', ') || '–'
}

/**
 * The value of a control as the API takes it. Text that is not a number stays text, so that the schema reports it; an
 * empty control is null where the schema allows null.
 */
function readControl(control: Control, held: Held | undefined): unknown {
  switch (control.kind) {
    case 'number':
      return held === '' && control.nullable ? null : numberOr(held, control.isWhole)
    case 'choice':
      return (
        control.options.find((option) => String(option) === held) ?? (control.nullable ? null : undefined)
      )
    case 'rule':
      return readRule(held, control.amounts, control.usual)
    case 'members': {
      const tags = tagsHeld(held)
      return tags ? { tags } : readNumbers(control, held)
    }
    case 'monitors':
    case 'numbers':
      return readNumbers(control, held)
    case 'pairs': {
      const pairs = typeof held === 'object' ? held.filter(({ name, value }) => name || value) : []
      return pairs.length > 0 ? Object.fromEntries(pairs.map(({ name, value }) => [name, value])) : null
    }
    case 'assertions':
      return readAssertions(held)
    case 'parts':
      return readParts(control, held)
    case 'records':
      return readRecords(control, held)
    case 'captures':
      return readCaptures(held)
    case 'tags':
      return splitTags(String(held ?? ''))
    case 'text':
    case 'lines':
      return held === '' && control.nullable ? null : held
    case 'tick':
      return held
  }
}

function readNumbers({ nullable }: Control, held: Held | undefined): unknown[] | null {
  const numbers = String(held)
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((text) => numberOr(text))
  return numbers.length === 0 && nullable ? null : numbers
}

function numberOr(held: Held | undefined, isWhole = true): unknown {
  const digits = String(held).trim()
  if (/^[+-]?\d{1,15}$/.test(digits)) return Number(digits)
  // Half of the world writes 1,5.
  return !isWhole && /^[+-]?\d{1,9}[.,]\d{1,6}$/.test(digits) ? Number(digits.replace(',', '.')) : held
}

/** Converts the named fields for the API. */
export function readDraft(
  controls: Controls,
  draft: Draft,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (controls[name] ? [[name, readControl(controls[name], draft[name])]] : [])),
  )
}

/** The fields whose value for the API differs from the first one. */
export function changedNames(controls: Controls, before: Draft, after: Draft): string[] {
  return Object.keys(controls).filter((name) => {
    const control = controls[name] as Control
    return (
      JSON.stringify(readControl(control, before[name])) !== JSON.stringify(readControl(control, after[name]))
    )
  })
}

/**
 * Merges two edits of `before`. A field that only `mine` or only `theirs` changed gets that change; a field that both
 * changed differently keeps the value of `mine` and is listed in `both`.
 */
export function merge(
  controls: Controls,
  { before, mine, theirs }: { before: Draft; mine: Draft; theirs: Draft },
): { draft: Draft; both: string[] } {
  const ours = new Set(changedNames(controls, before, mine))
  const different = new Set(changedNames(controls, mine, theirs))
  const changed = changedNames(controls, before, theirs)
  const draft = { ...mine }
  for (const name of changed) if (!ours.has(name)) draft[name] = theirs[name] ?? ''
  return { draft, both: changed.filter((name) => ours.has(name) && different.has(name)) }
}

/** A name that occurs twice, which the API does not allow. */
export function repeatedName(held: Held | undefined): string | undefined {
  const names = typeof held === 'object' ? held.map(({ name }) => name.toLowerCase()).filter(Boolean) : []
  return names.find((name, index) => names.indexOf(name) < index)
}

/** The value of a control in words, for people to compare. */
export function sayHeld(control: Control | undefined, held: Held | undefined): string {
  if (control?.kind === 'tick') return held === true ? t('Yes') : t('No')
  if (control?.kind === 'assertions') return sayAssertions(held)
  if (control?.kind === 'parts') return sayParts(control, held)
  if (control?.kind === 'records' || control?.kind === 'captures') return sayRecords(held)
  if (typeof held === 'object') return held.map(({ name, value }) => `${name}: ${value}`).join(', ') || '–'
  return String(held ?? '') || '–'
}

/** The parts of `one, other`, as a draft holds them. */
export function listedIn(held: Held | undefined): string[] {
  return String(held ?? '')
    .split(', ')
    .filter(Boolean)
}

export function idsIn(held: Held | undefined): number[] {
  return listedIn(held).map(Number)
}
