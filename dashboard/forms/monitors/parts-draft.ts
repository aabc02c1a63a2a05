import type { PartsControl, PartsKind } from '../controls.ts'

/**
 * An object that is being written: its kind, null for none, and its members as they are typed, by name. A draft holds it as
 * text, which is compared and merged like any other.
 */
export type TypedParts = { kind: PartsKind | null; typed: Record<string, unknown> }

export function writeParts({ kind, typed }: TypedParts): string {
  return kind === null ? '' : JSON.stringify({ kind: kind.name, typed })
}

/** An object of one kind alone is always being written. */
export function partsIn(control: PartsControl, held: unknown): TypedParts {
  const { kind = '', typed = {} }: { kind?: string; typed?: Record<string, unknown> } =
    typeof held === 'string' && held !== '' ? JSON.parse(held) : {}
  return { ...ofKind(control, kind), typed }
}

/** The parts with another kind, which begins empty. */
export function ofKind({ kinds }: PartsControl, name: string): TypedParts {
  return { kind: kinds.find((kind) => kind.name === name) ?? null, typed: {} }
}
