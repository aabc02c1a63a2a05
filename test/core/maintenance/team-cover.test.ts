import assert from 'node:assert/strict'
import { it } from 'node:test'
import { windowAt } from '../../../src/core/maintenance/occurrence.ts'
import { teamCover } from '../../../src/core/maintenance/team-cover.ts'
import { chosenOf, SUBJECT_KINDS } from '../../../src/core/maintenance/window.ts'
import { randomWindows } from '../../support/maintenance/compare.ts'
import { oneOff, recurring } from '../../support/maintenance/windows.ts'

const SUBJECTS = SUBJECT_KINDS.flatMap((kind) => [0, 1, 2].map((id) => [kind, id] as const))
const HOUR_MS = 3_600_000
const at = (text: string) => new Date(`2027-01-${text}Z`)

it('answers for a subject as its windows do, in whatever order it is asked', () => {
  const windows = randomWindows({
    seed: 5,
    rules: 6,
    zones: ['Europe/Berlin', 'America/New_York'],
    years: [2026, 2027],
  }).map((window, id) => ({
    ...window,
    id,
    all_subjects: id % 3 === 0,
    monitor_ids: [id % 2],
    server_ids: id % 4 < 2 ? [] : [1 + (id % 2)],
    site_ids: id % 4 === 1 ? [2] : [],
  }))
  const covers = teamCover(windows)
  const hours = Array.from({ length: 240 }, (_, index) => (index * 389) % 720)
  for (const hour of hours) {
    const instant = new Date(Date.parse('2026-10-20T00:00Z') + hour * HOUR_MS)
    for (const [kind, id] of SUBJECTS) {
      const own = windows.filter((one) => one.all_subjects || chosenOf(one, kind).includes(id))
      const expected = own.some((one) => windowAt(one, instant) !== null)
      const what = `${kind} ${id} at ${instant.toISOString()}`
      assert.equal(covers[kind].applies(id, instant), expected, what)
      const spans = covers[kind].spansOf(id, instant, new Date(instant.getTime() + 1))
      assert.equal(spans.length > 0, expected, what)
    }
  }
})

it('knows the last end in a time, of the windows that name the monitor or everything', () => {
  const windows = [
    { ...recurring({ local_start: '2027-01-01T02:00', rule: 'FREQ=DAILY', time_zone: 'UTC' }), id: 1 },
    {
      ...oneOff('2027-01-05T03:00Z', '2027-01-05T06:00Z'),
      all_subjects: false,
      monitor_ids: [7],
      server_ids: [],
      site_ids: [],
      id: 2,
    },
    { ...recurring({ time_zone: 'Mars/Olympus', rule: 'FREQ=DAILY' }), id: 3 },
  ]
  const { monitor: cover } = teamCover(windows)
  const rows: [monitorId: number, after: string, upTo: string, end: string | null][] = [
    [7, '01T00:00', '05T12:00', '05T06:00'],
    [8, '01T00:00', '05T12:00', '05T04:00'],
    [7, '01T00:00', '05T05:59', '04T04:00'],
    [8, '01T00:00', '05T04:00', '05T04:00'],
    [8, '01T00:00', '05T03:59', '04T04:00'],
    [8, '05T04:00', '06T03:00', null],
  ]
  for (const [monitorId, after, upTo, end] of rows)
    assert.deepEqual(cover.lastEnd(monitorId, at(after), at(upTo)), end && at(end), `${monitorId} ${upTo}`)
})
