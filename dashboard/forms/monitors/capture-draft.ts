import { CAPTURE_SOURCES, type Capture } from '../../../src/core/monitors/options/protocols/steps.ts'
import { holdRecords, recordsIn } from './records-draft.ts'

/** A value that is read from an answer, as it is typed. */
export type CaptureRow = { name: string; source: Capture['source']; property: string }

export function holdCaptures(value: unknown): string {
  const captures = Object.entries((value ?? {}) as Record<string, Capture>)
  return holdRecords(captures.map(([name, { source, property }]) => ({ name, source, property })))
}

export function capturesIn(held: unknown): CaptureRow[] {
  return recordsIn(held).map(({ name, source, property }) => ({
    name: String(name ?? ''),
    source: CAPTURE_SOURCES.find((one) => one === source) ?? 'json',
    property: String(property ?? ''),
  }))
}

/** The captures as the API takes them; null without any. A row that nothing is typed in is none. */
export function readCaptures(held: unknown): Record<string, Capture> | null {
  const rows = capturesIn(held).filter(({ name, property }) => name !== '' || property !== '')
  if (rows.length === 0) return null
  return Object.fromEntries(rows.map(({ name, ...capture }) => [name, capture]))
}
