import type { PartsControl, PartsKind } from '../controls.ts'
import { type Draft, draftOf, hold, readControl } from '../draft.ts'

/** An object that is being written: the kind that was chosen, null for none, and its members as they are typed. */
export type TypedParts = { kind: PartsKind | null; draft: Draft }

/** A draft holds the parts as text, which is compared and merged like any other. */
export function holdParts(control: PartsControl, value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const given = value as Record<string, unknown>
  const kind = kindCalled(control, control.chooser === null ? '' : String(given[control.chooser]))
  if (!kind) return ''
  const typed = Object.entries(kind.controls).map(([name, one]) => [name, hold(one, given[name] ?? one.initial)])
  return writeParts({ kind, draft: Object.fromEntries(typed) })
}

export function writeParts({ kind, draft }: TypedParts): string {
  return kind === null ? '' : JSON.stringify({ kind: kind.name, draft })
}

/** An object of one kind alone is always being written. */
export function partsIn(control: PartsControl, held: unknown): TypedParts {
  const { kind: name = '', draft = {} }: { kind?: string; draft?: Draft } =
    typeof held === 'string' && held !== '' ? JSON.parse(held) : {}
  const kind = kindCalled(control, name)
  return { kind, draft: kind === null ? {} : { ...draftOf(kind.controls), ...draft } }
}

/** The parts with another kind, which begins empty. */
export function ofKind(control: PartsControl, name: string): TypedParts {
  const kind = kindCalled(control, name)
  return { kind, draft: kind === null ? {} : draftOf(kind.controls) }
}

/** The object as the API takes it, without what is empty or stands as it begins; null without any. */
export function readParts(control: PartsControl, held: unknown): Record<string, unknown> | null {
  const { kind, draft } = partsIn(control, held)
  if (kind === null) return null
  const set = Object.entries(kind.controls).flatMap(([name, one]) => {
    const value = readControl(one, draft[name])
    const isUnset = value === '' || value === null || value === undefined || value === (one.initial ?? false)
    return isUnset ? [] : [[name, value]]
  })
  if (control.chooser !== null) set.unshift([control.chooser, kind.name])
  return set.length > 0 ? Object.fromEntries(set) : null
}

/** Which members are set: their values may be long, or secrets. */
export function sayParts(control: PartsControl, held: unknown): string {
  const { [control.chooser ?? '']: kind, ...rest } = readParts(control, held) ?? {}
  return [...(kind === undefined ? [] : [String(kind)]), ...Object.keys(rest)].join(', ') || '–'
}

function kindCalled({ kinds }: PartsControl, name: string): PartsKind | null {
  return kinds.find((kind) => kind.name === name) ?? null
}
