import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  applyingTo,
  coverAt,
  holdsAt,
  type WindowSpan,
  windowSpanAt,
} from '../../../src/core/maintenance/cover.ts'
import { windowAt } from '../../../src/core/maintenance/occurrence.ts'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/window.ts'
import { randomWindows } from '../../support/maintenance/compare.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const HOUR_MS = 3_600_000
const at = (text: string) => new Date(text)
const forMonitors = (...ids: number[]) => ({
  all_subjects: false,
  monitor_ids: ids,
  server_ids: [],
  site_ids: [],
})

const NIGHTLY = recurring({
  local_start: '2027-01-01T23:00',
  rule: 'FREQ=DAILY',
  duration_minutes: 120,
  time_zone: 'UTC',
})

test('a span says what holds, and from when until when', () => {
  const inside = windowSpanAt(NIGHTLY, at('2027-01-04T00:30Z'))
  assert.deepEqual([inside.from, inside.until], [at('2027-01-03T23:00Z'), at('2027-01-04T01:00Z')])
  assert.deepEqual(inside.occurrence, { startsAt: inside.from, endsAt: inside.until })
  const outside = windowSpanAt(NIGHTLY, at('2027-01-04T01:00Z'))
  assert.deepEqual(outside, {
    occurrence: null,
    from: at('2027-01-04T01:00Z'),
    until: at('2027-01-04T23:00Z'),
  })
})

describe('a span holds at every instant that it claims', () => {
  const windows = randomWindows({
    seed: 3,
    rules: 8,
    zones: ['Europe/Berlin', 'Australia/Lord_Howe'],
    years: [2026, 2027],
  })
  for (const window of windows) {
    it(`${window.rule} in ${window.time_zone}`, () => {
      let span: WindowSpan | null = null
      // Two weeks in which the clocks of both zones change.
      for (
        let ms = Date.parse('2026-03-26T00:00Z');
        ms < Date.parse('2026-04-09T00:00Z');
        ms += HOUR_MS / 2
      ) {
        const instant = new Date(ms)
        if (!span || !holdsAt(span, instant)) span = windowSpanAt(window, instant)
        assert.ok(holdsAt(span, instant))
        assert.deepEqual(span.occurrence, windowAt(window, instant), instant.toISOString())
      }
    })
  }
})

test('a cover has everything that applies to a monitor, what ends last first', () => {
  const all = { ...oneOff('2027-01-04T00:00Z', '2027-01-04T02:00Z') }
  const one = { ...oneOff('2027-01-04T00:15Z', '2027-01-04T01:45Z'), ...forMonitors(5) }
  const longer = { ...recurring({ ...NIGHTLY, ...forMonitors(5, 6), duration_minutes: 200 }) }
  const over = { ...oneOff('2027-01-02T00:00Z', '2027-01-03T22:00Z') }
  const off = { ...switchWindow() }
  const windows = [one, over, all, longer, off]
  const cover = coverAt(windows, at('2027-01-04T00:30Z'))
  assert.deepEqual(
    cover.everything.map(({ window }) => window),
    [all],
  )
  assert.deepEqual(
    applyingTo(cover, 'monitor', 5).map(({ window }) => window),
    [longer, one, all],
  )
  assert.deepEqual(
    applyingTo(cover, 'monitor', 6).map(({ window }) => window),
    [longer, all],
  )
  assert.deepEqual(
    applyingTo(cover, 'monitor', 7).map(({ window }) => window),
    [all],
  )
  assert.deepEqual([cover.from, cover.until], [at('2027-01-04T00:15Z'), at('2027-01-04T01:45Z')])
})

test('a cover asks again only windows of which something else may hold', () => {
  const spans = new Map()
  const running = oneOff('2027-01-04T00:00Z', '2027-01-04T02:00Z')
  const windows = [running, NIGHTLY]
  coverAt(windows, at('2027-01-04T00:30Z'), spans)
  const [first, second] = windows.map((window) => spans.get(window))
  const cover = coverAt(windows, at('2027-01-04T01:00Z'), spans)
  assert.equal(spans.get(running), first)
  assert.notEqual(spans.get(NIGHTLY), second)
  assert.deepEqual(
    cover.everything.map(({ window }) => window),
    [running],
  )
})

test('a window leaves subjects of other kinds with the same ids alone', () => {
  const named = { all_subjects: false, monitor_ids: [6], server_ids: [5], site_ids: [7] }
  const cover = coverAt(
    [{ ...oneOff('2027-01-04T00:00Z', '2027-01-04T02:00Z'), ...named }],
    at('2027-01-04T00:30Z'),
  )
  const covered = SUBJECT_KINDS.map((kind) => [5, 6, 7].map((id) => applyingTo(cover, kind, id).length))
  assert.deepEqual(covered, [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ])
})

test('without a window nothing applies', () => {
  const cover = coverAt([], at('2027-01-04T00:30Z'))
  assert.deepEqual(applyingTo(cover, 'monitor', 1), [])
  assert.ok(holdsAt(cover, at('2027-01-04T00:30Z')))
})

test('a window of a zone that is not known here is named, and takes nothing from the others', () => {
  const stored = recurring({ time_zone: 'Europe/Bonn' })
  const broken = recurring({ rule: 'FREQ=FORTNIGHTLY' })
  const running = oneOff('2027-01-04T00:00Z', '2027-01-04T02:00Z')
  const cover = coverAt([stored, running, broken], at('2027-01-04T00:30Z'))
  assert.deepEqual(cover.unreadable, [stored, broken])
  assert.deepEqual(
    applyingTo(cover, 'monitor', 1).map(({ window }) => window),
    [running],
  )
})
