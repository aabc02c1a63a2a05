import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAgentReport } from '../../../src/core/servers/agent-report.ts'
import { Hosted, hostedAfter, NOTHING_HOSTED } from '../../../src/core/servers/hosted.ts'
import type { Counters } from '../../../src/core/servers/machine-report.ts'
import { Machine, TopProcess } from '../../../src/core/servers/machine-report.ts'
import { measure } from '../../../src/core/servers/measure.ts'
import { readSeriesKey, SERIES } from '../../../src/core/servers/series.ts'
import { MAX_REPORT_BYTES } from '../../../src/core/servers/server.ts'
import { randomFrom } from '../history/checks.ts'

const FOLDER = join(import.meta.dirname, '../../core/servers/agent-reports')
const NOW = new Date('2026-11-23T03:20:00Z')
const MAX_KEYS = 400
/** PostgreSQL takes these in no text. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/

export const REPORTS = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'))

const STRANGE = [
  '',
  '-1',
  '0',
  '1',
  '99999999999999999999',
  '18446744073709551615',
  '4294967296',
  '1e308',
  'NaN',
  'Infinity',
  '0x10',
  '-',
  ':',
  '%',
  ' ',
  '\n',
  '\r\n',
  '\u0000',
  '\ud800',
  '\u202e',
  '@df',
  '@stat',
  '@top\ntook 0 0 0 0\n9 9 x',
  '@gauges\ncpu_percent 500',
  '__proto__',
  '{"',
  '\\777',
  '\\040',
  '💥'.repeat(90),
  '1 '.repeat(250),
]

/** `count` reports, each made from a real one by a few random changes, are read and measured: nothing that cannot be. */
export function tryMutatedReports(count: number, seed: number): void {
  const random = randomFrom(seed)
  let before: Counters | null = null
  for (let i = 0; i < count; i++) {
    const text = mutated(random)
    try {
      const read = readAgentReport(text)
      if (read === null) continue
      Machine.parse(read.machine)
      TopProcess.array().parse(read.top)
      Hosted.parse(hostedAfter(null, read.hosted, { at: NOW, lastReportAt: null }) ?? NOTHING_HOSTED)
      const { sample, counters } = measure(read, before, NOW)
      for (const [key, value] of Object.entries(sample)) assertPossible(key, value)
      assert.ok(Object.keys(sample).length + Object.keys(counters.values).length < MAX_KEYS)
      for (const value of [counters.at, ...Object.values(counters.values)])
        assert.ok(value >= 0 && value < 1e300)
      const { machine, top, failedUnits, hosted } = read
      assert.doesNotMatch(JSON.stringify([sample, counters, machine, top, failedUnits, hosted]), UNSTORABLE)
      before = counters
    } catch (error) {
      throw new Error(`report ${i} of seed ${seed}: ${JSON.stringify(text)}`, { cause: error })
    }
  }
}

function assertPossible(key: string, value: number): void {
  const name = readSeriesKey(key)?.name
  assert.ok(name, key)
  const { unit } = SERIES[name]
  assert.ok(Number.isFinite(value), `${key} ${value}`)
  assert.ok(value >= 0 || name === 'clock_skew_seconds', `${key} ${value}`)
  assert.ok(unit !== 'percent' || value <= 100, `${key} ${value}`)
}

type Random = () => number

function mutated(random: Random): string {
  const at = (length: number) => Math.floor(random() * length)
  let text = REPORTS[at(REPORTS.length)] as string
  for (let changes = 1 + at(6); changes > 0; changes--) text = changed(text, random, at)
  return text.slice(0, MAX_REPORT_BYTES)
}

function changed(text: string, random: Random, at: (length: number) => number): string {
  const start = at(text.length)
  const strange = STRANGE[at(STRANGE.length)] as string
  const kind = at(6)
  if (kind === 0) return text.slice(0, start) + strange + text.slice(start + at(6))
  if (kind === 1) return text.slice(0, start) + text.slice(start + at(200))
  if (kind === 2) return text.slice(0, start)
  if (kind === 3) return text.slice(0, start) + text.slice(at(text.length))
  const lines = text.split('\n')
  const line = at(lines.length)
  if (kind === 4) lines.splice(line, at(3), ...lines.slice(at(lines.length)).slice(0, at(9)))
  // One number of a line becomes another one.
  else
    lines[line] = (lines[line] ?? '').replaceAll(/-?[\d.]+/g, (number) => (random() < 0.5 ? number : strange))
  return lines.join('\n')
}
