import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FollowedWindow, followOccurrence } from '../../../src/core/maintenance/followed-occurrence.ts'
import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import type { EndedBy } from '../../../src/core/maintenance/window-record.ts'
import { oneOff, recurring } from '../../support/maintenance/windows.ts'

const on = (time: string) => new Date(`2027-03-${time}Z`)
const daily = (time: string, changes = {}) =>
  recurring({ local_start: `2027-03-01T${time}`, time_zone: 'UTC', rule: 'FREQ=DAILY', ...changes })
type Kept = [starts: string, ends: string, endedBy?: EndedBy]

/** The fate of the occurrence at 02:00 on the 10th; `since`: when the window was last changed. */
const CASES: [string, MaintenanceWindow | null, Kept[], string | null | undefined, since?: string][] = [
  ['as planned', daily('02:00'), [], '10T02:00 - 10T04:00'],
  ['ended early', daily('02:00'), [['10T02:00', '10T02:30', 'person']], '10T02:00 - 10T02:30'],
  ['prolonged', daily('02:00'), [['10T02:00', '10T05:00']], '10T02:00 - 10T05:00'],
  ['called off', daily('02:00'), [['10T02:00', '10T02:00', 'person']], null],
  ['moved by a change', daily('03:30', { duration_minutes: 60 }), [], '10T03:30 - 10T04:30'],
  ['moved too far', recurring({ local_start: '2027-03-12T02:00', rule: 'FREQ=WEEKLY' }), [], null],
  ['moved, once', oneOff('2027-03-20T02:00:00Z', '2027-03-20T03:00:00Z'), [], '20T02:00 - 20T03:00'],
  ['deleted before it', null, [], null],
  ['deleted in it', null, [['10T02:00', '10T02:20', 'change']], '10T02:00 - 10T02:20'],
  [
    'longer by a change in it',
    daily('02:00', { duration_minutes: 180 }),
    [['10T02:00', '10T03:00', 'change']],
    '10T02:00 - 10T05:00',
    '10T03:00',
  ],
  ['in a zone that is unknown here', daily('02:00', { time_zone: 'Mars/Olympus' }), [], undefined],
]

describe('the occurrence that a post is about', () => {
  for (const [name, window, spans, expected, since = '01T00:00'] of CASES) {
    it(name, () => {
      const kept = spans.map(([starts, ends, endedBy = null]) => ({
        windowId: 1,
        startsAt: on(starts),
        endsAt: on(ends),
        endedBy,
        all_subjects: true,
        monitor_ids: [],
        server_ids: [],
        site_ids: [],
      }))
      const followed: FollowedWindow = { window: window && { ...window, id: 1, since: on(since) }, kept }
      const found = followOccurrence(followed, on('10T02:00'))
      const text = (at: Date) => at.toISOString().slice(8, 16)
      assert.equal(found && `${text(found.startsAt)} - ${text(found.endsAt)}`, expected)
      // The start that it is found by next leads to the same end.
      if (found) assert.deepEqual(followOccurrence(followed, found.occurrenceAt)?.endsAt, found.endsAt)
    })
  }
})
