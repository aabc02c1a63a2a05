import assert from 'node:assert/strict'
import { join } from 'node:path'
import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import type { DeclaredMonitor } from '../../../src/core/monitors/declaration.ts'
import type { ImportKind } from '../../../src/core/moving-in/kinds.ts'
import type { Outcome } from '../../../src/core/moving-in/outcome.ts'
import type { Terms } from '../../../src/imports/outcome.ts'
import { readExport } from '../../../src/imports/read-export.ts'

const EXPORTS = join(import.meta.dirname, 'exports')

/** The limits of the pro plan, on a Tuesday. */
export const TERMS: Terms = {
  min_interval_minutes: 1,
  min_interval_seconds: 30,
  now: new Date('2026-11-24T12:00:00Z'),
}

/** Reads files of test/support/imports/exports. */
export function readExports(kind: ImportKind, ...files: string[]): Promise<Outcome> {
  const paths = files.map((file) => join(EXPORTS, file))
  return readExport(kind, paths, TERMS)
}

export function exportFile(name: string): string {
  return join(EXPORTS, name)
}

function monitorOf({ declaration }: Outcome, name: string): DeclaredMonitor {
  const monitor = declaration.monitors.find((each) => each.name === name)
  assert.ok(monitor, `no monitor ${name}`)
  return monitor
}

/** The notes on a contact or monitor, in order. */
export function notesOn({ notes }: Outcome, name: string): string[] {
  return notes.filter(({ what }) => what === name).map(({ note }) => note)
}

/** The fields of a monitor that a test names. */
export function assertMonitor(outcome: Outcome, name: string, expected: Partial<DeclaredMonitor>): void {
  const monitor = monitorOf(outcome, name)
  const actual = Object.fromEntries(
    Object.keys(expected).map((key) => [key, monitor[key as keyof DeclaredMonitor]]),
  )
  assert.deepEqual(actual, expected)
}

/** The next occurrences of the first window, as `2026-11-25T01:00Z 90`: its start, and its length in minutes. */
export function nextOf({ windows }: Outcome, from: Date, count: number): string[] {
  const window = windows[0]?.window ?? assert.fail('no window')
  const until = new Date(from.getTime() + 2 * 366 * 86_400_000)
  return occurrencesBetween(window, from, until)
    .slice(0, count)
    .map(({ startsAt, endsAt }) => {
      const minutes = (endsAt.getTime() - startsAt.getTime()) / 60_000
      return `${startsAt.toISOString().slice(0, 16)}Z ${minutes}`
    })
}
