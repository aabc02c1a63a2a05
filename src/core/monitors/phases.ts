import { ByteReader, ByteWriter } from '../bytes.ts'
import type { Phases } from './check.ts'

const NOTHING = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null }

export const PHASE_NAMES = Object.keys(NOTHING) as (keyof Phases)[]

/** Packs phases for storage: whole milliseconds, one or two bytes each. Null if no phase was measured. */
export function packPhases(phases: Phases | null): Uint8Array | null {
  if (!phases || PHASE_NAMES.every((name) => phases[name] === null)) return null
  const writer = new ByteWriter(16)
  for (const name of PHASE_NAMES) {
    const value = phases[name]
    writer.unsigned(value === null ? 0 : Math.max(0, Math.round(value)) + 1)
  }
  return writer.finish()
}

export function unpackPhases(bytes: Uint8Array | null): Phases | null {
  if (!bytes) return null
  const reader = new ByteReader(bytes)
  const phases: Phases = { ...NOTHING }
  for (const name of PHASE_NAMES) {
    const value = reader.unsigned()
    if (value > 0) phases[name] = value - 1
  }
  return phases
}
