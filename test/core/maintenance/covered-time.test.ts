import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimeSpan } from '../../../src/core/history/uptime.ts'
import { applyingTo, coverAt } from '../../../src/core/maintenance/cover.ts'
import { coveredTime, coveredTimeOf, occurrencesOf } from '../../../src/core/maintenance/covered-time.ts'
import { randomWindows } from '../../support/maintenance/compare.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const STEP_MS = 17 * 60_000
const at = (text: string) => new Date(text)
const forMonitors = (...ids: number[]) => ({
  all_subjects: false,
  monitor_ids: ids,
  server_ids: [],
  site_ids: [],
})
const EVER = at('2020-01-01')
const MARCH = { from: at('2027-03-01T00:00Z'), to: at('2027-04-01T00:00Z') }

function short(spans: readonly TimeSpan[]): string[] {
  return spans.map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(8, 16)).join(' '),
  )
}

test('a monitor is covered by what is for everything and by its own, merged', () => {
  const covered = coveredTime(
    [
      { ...oneOff('2027-03-02T10:00Z', '2027-03-02T12:00Z'), ...forMonitors(1, 2) },
      oneOff('2027-03-02T11:00Z', '2027-03-02T13:00Z'),
      oneOff('2027-03-02T13:00Z', '2027-03-02T14:00Z'),
      { ...oneOff('2027-03-05T10:00Z', '2027-03-05T12:00Z'), ...forMonitors(2) },
      oneOff('2027-04-01T00:00Z', '2027-04-01T01:00Z'),
      oneOff('2027-02-28T20:00Z', '2027-03-01T00:00Z'),
    ],
    MARCH,
  )
  const table: [id: number, created: Date, spans: string[]][] = [
    [1, EVER, ['02T10:00 02T14:00']],
    [2, EVER, ['02T10:00 02T14:00', '05T10:00 05T12:00']],
    [3, EVER, ['02T11:00 02T14:00']],
    [2, at('2027-03-02T13:30Z'), ['02T13:30 02T14:00', '05T10:00 05T12:00']],
    [1, at('2027-03-02T14:00Z'), []],
  ]
  for (const [id, created, spans] of table)
    assert.deepEqual(short(coveredTimeOf(covered, id, created)), spans)
})

test('a window whose zone is unknown here covers nothing, and the others do', () => {
  const unknown = recurring({ time_zone: 'Mars/Olympus', rule: 'FREQ=DAILY' })
  const known = oneOff('2027-03-02T11:00Z', '2027-03-02T13:00Z')
  assert.deepEqual(
    occurrencesOf([unknown, known], MARCH).map(({ window }) => window),
    [known],
  )
})

test('all of history may be asked for', () => {
  const range = { from: new Date(0), to: MARCH.to }
  const turn = { startsAt: at('2027-03-02T11:00Z'), endsAt: at('2027-03-02T12:00Z') }
  const covered = coveredTime([{ ...switchWindow(), kept: [turn] }], range)
  assert.deepEqual(short(coveredTimeOf(covered, 1, EVER)), ['02T11:00 02T12:00'])
})

test('covered is exactly the time in which a check would be judged under a window', () => {
  const windows = randomWindows({
    seed: 9,
    rules: 20,
    zones: ['Europe/Berlin', 'Australia/Lord_Howe'],
    years: [2026, 2027],
  }).map((window, index) => ({ ...window, ...(index % 2 === 0 ? forMonitors(1, 3) : forMonitors(2)) }))
  const covered = coveredTime(windows, MARCH)
  const spans = new Map()
  for (let ms = MARCH.from.getTime(); ms < MARCH.to.getTime(); ms += STEP_MS) {
    const cover = coverAt(windows, new Date(ms), spans)
    for (const id of [1, 2, 3, 4]) {
      const isCovered = coveredTimeOf(covered, id, EVER).some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
      assert.equal(
        isCovered,
        applyingTo(cover, 'monitor', id).length > 0,
        `${id} at ${new Date(ms).toISOString()}`,
      )
    }
  }
})
