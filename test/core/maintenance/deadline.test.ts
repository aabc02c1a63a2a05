import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deadlineOutside, effectiveDeadline } from '../../../src/core/maintenance/deadline.ts'
import { teamCover } from '../../../src/core/maintenance/team-cover.ts'
import { oneOff } from '../../support/maintenance/windows.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
const at = (minute: number) => new Date(Date.UTC(2027, 0, 1) + minute * MINUTE_MS)

/** Windows and times in minutes; the job was last heard of at 0 and reports every 60. */
const rows: [what: string, windows: [number, number][], due: number][] = [
  ['no window', [], 60],
  ['a window before', [[-30, -10]], 60],
  ['a window that was running', [[-30, 20]], 80],
  ['a window inside', [[10, 30]], 80],
  ['a window over the deadline', [[50, 90]], 100],
  ['a window from the deadline on', [[60, 90]], 90],
  ['a window after the deadline', [[61, 90]], 60],
  [
    'a window that the first one moves the deadline into',
    [
      [10, 30],
      [70, 200],
    ],
    210,
  ],
  [
    'windows that touch',
    [
      [50, 70],
      [70, 100],
    ],
    110,
  ],
  [
    'windows that overlap, and one within another',
    [
      [10, 40],
      [20, 30],
      [35, 50],
    ],
    100,
  ],
  ['a window of a week', [[30, 7 * DAY_MINUTES]], 7 * DAY_MINUTES + 30],
]

describe('a deadline that time in windows does not count against', () => {
  for (const [what, windows, due] of rows) {
    it(what, () => {
      const spans = windows.map(([from, to]) => ({ fromMs: at(from).getTime(), toMs: at(to).getTime() }))
      const asked: Date[] = []
      const found = deadlineOutside({ since: at(0), intervalMs: 60 * MINUTE_MS, now: at(65) }, (from, to) => {
        asked.push(from, to)
        return spans.filter(({ fromMs, toMs }) => fromMs < to.getTime() && toMs > from.getTime())
      })
      assert.deepEqual(found, at(due))
      assert.deepEqual(asked[0], at(0))
    })
  }
})

describe('a deadline that our own downtime moved, too', () => {
  const rows: [what: string, window: [number, number], heard: number | null, due: number, late: number][] = [
    ['no downtime', [0, 20], 0, 60, 80],
    ['a window, then ten minutes of downtime', [0, 20], 0, 70, 90],
    ['ten minutes of downtime, then a window', [30, 50], 0, 70, 90],
    ['a silence that was noted a little after the deadline', [10, 30], 1, 60, 80],
    ['never heard of', [-20, 20], null, 60, 80],
  ]
  for (const [what, [from, to], heard, due, late] of rows) {
    it(what, () => {
      const window = { ...oneOff(at(from).toISOString(), at(to).toISOString()), id: 1 }
      const heardAt = heard === null ? null : at(heard)
      const planned = { monitorId: 7, dueAt: at(due), intervalSeconds: 3_600, heardAt }
      assert.deepEqual(effectiveDeadline(planned, teamCover([window]).monitor, at(due)), at(late))
      assert.deepEqual(effectiveDeadline(planned, null, at(due)), at(due))
    })
  }
})
