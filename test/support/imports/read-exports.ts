import assert from 'node:assert/strict'
import { join } from 'node:path'
import { english } from '../../../src/core/language/said.ts'
import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import type { DeclaredMonitor } from '../../../src/core/monitors/declaration.ts'
import type { ImportKind } from '../../../src/core/moving-in/kinds.ts'
import type { Outcome } from '../../../src/core/moving-in/outcome.ts'
import * as gatus from '../../../src/imports/gatus/gatus.ts'
import * as healthchecks from '../../../src/imports/healthchecks.ts'
import type { Terms } from '../../../src/imports/outcome.ts'
import * as files from '../../../src/imports/read-export.ts'
import * as kuma from '../../../src/imports/uptime-kuma/uptime-kuma.ts'
import * as robot from '../../../src/imports/uptimerobot/uptimerobot.ts'

const EXPORTS = join(import.meta.dirname, 'exports')

/** The limits of the pro plan, on a Tuesday. */
export const TERMS: Terms = {
  min_interval_minutes: 1,
  min_interval_seconds: 30,
  now: new Date('2026-11-24T12:00:00Z'),
}

/** The result of reading an export, with its sentences as the command line prints them. */
export type PrintedOutcome = Omit<Outcome, 'skipped' | 'notes'> & {
  skipped: { what: string; reason: string }[]
  notes: { what: string; note: string }[]
}

export function printed({ skipped, notes, ...rest }: Outcome): PrintedOutcome {
  return {
    ...rest,
    skipped: skipped.map(({ what, reason }) => ({ what: english(what), reason: english(reason) })),
    notes: notes.map(({ what, note }) => ({ what: english(what), note: english(note) })),
  }
}

type Given<Read extends (...given: never[]) => unknown> = Parameters<Read>

export const fromGatus = (...given: Given<typeof gatus.fromGatus>) => printed(gatus.fromGatus(...given))
export const fromHealthchecks = (...given: Given<typeof healthchecks.fromHealthchecks>) =>
  printed(healthchecks.fromHealthchecks(...given))
export const fromUptimeKuma = (...given: Given<typeof kuma.fromUptimeKuma>) =>
  printed(kuma.fromUptimeKuma(...given))
export const fromUptimeRobot = (...given: Given<typeof robot.fromUptimeRobot>) =>
  printed(robot.fromUptimeRobot(...given))
export const readExport = async (...given: Given<typeof files.readExport>) =>
  printed(await files.readExport(...given))

/** Reads files of test/support/imports/exports. */
export function readExports(kind: ImportKind, ...names: string[]): Promise<PrintedOutcome> {
  return readExport(kind, names.map(exportFile), TERMS)
}

export function exportFile(name: string): string {
  return join(EXPORTS, name)
}

function monitorOf({ declaration }: PrintedOutcome, name: string): DeclaredMonitor {
  const monitor = declaration.monitors.find((each) => each.name === name)
  assert.ok(monitor, `no monitor ${name}`)
  return monitor
}

/** The notes on a contact or monitor, in order. */
export function notesOn({ notes }: PrintedOutcome, name: string): string[] {
  return notes.filter(({ what }) => what === name).map(({ note }) => note)
}

/** The fields of a monitor that a test names. */
export function assertMonitor(
  outcome: PrintedOutcome,
  name: string,
  expected: Partial<DeclaredMonitor>,
): void {
  const monitor = monitorOf(outcome, name)
  const actual = Object.fromEntries(
    Object.keys(expected).map((key) => [key, monitor[key as keyof DeclaredMonitor]]),
  )
  assert.deepEqual(actual, expected)
}

/** The next occurrences of the first window, as `2026-11-25T01:00Z 90`: its start, and its length in minutes. */
export function nextOf({ windows }: PrintedOutcome, from: Date, count: number): string[] {
  const window = windows[0]?.window ?? assert.fail('no window')
  const until = new Date(from.getTime() + 2 * 366 * 86_400_000)
  return occurrencesBetween(window, from, until)
    .slice(0, count)
    .map(({ startsAt, endsAt }) => {
      const minutes = (endsAt.getTime() - startsAt.getTime()) / 60_000
      return `${startsAt.toISOString().slice(0, 16)}Z ${minutes}`
    })
}
