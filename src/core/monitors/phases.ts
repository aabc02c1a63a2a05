import { ByteReader, ByteWriter } from '../bytes.ts'
import type { CheckResult, Phases } from './check.ts'
import { readSteps, type StepTiming, writeSteps } from './steps/step-timing.ts'

const NOTHING = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null }

export const PHASE_NAMES = Object.keys(NOTHING) as (keyof Phases)[]

/** The times of a check besides the whole: those of its phases, and of its steps where it has some. */
export type Timings = { phases: Phases | null; steps?: StepTiming[] }

/**
 * Packs the times of a check for storage: whole milliseconds, one or two bytes each. Null if nothing was measured. The steps
 * stand behind the phases, where a release that knows none of them does not read on.
 */
export function packTimings({ phases, steps }: Pick<CheckResult, 'phases' | 'steps'>): Uint8Array | null {
  if (isEmpty(phases) && !steps) return null
  const writer = new ByteWriter(16)
  for (const name of PHASE_NAMES) {
    const value = phases?.[name] ?? null
    writer.unsigned(value === null ? 0 : Math.max(0, Math.round(value)) + 1)
  }
  if (steps) writeSteps(writer, steps)
  return writer.finish()
}

export function unpackTimings(bytes: Uint8Array | null): Timings {
  if (!bytes) return { phases: null }
  const reader = new ByteReader(bytes)
  const phases: Phases = { ...NOTHING }
  for (const name of PHASE_NAMES) {
    const value = reader.unsigned()
    if (value > 0) phases[name] = value - 1
  }
  if (reader.done) return { phases }
  return { phases: isEmpty(phases) ? null : phases, steps: readSteps(reader) }
}

function isEmpty(phases: Phases | null): boolean {
  return !phases || PHASE_NAMES.every((name) => phases[name] === null)
}
