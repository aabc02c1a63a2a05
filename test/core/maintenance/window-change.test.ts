import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import { changeOf, cutAt } from '../../../src/core/maintenance/window-change.ts'
import {
  judgedWindows,
  type KeptOccurrence,
  type WindowRecord,
} from '../../../src/core/maintenance/window-record.ts'
import { type KeptRow, keptRows } from '../../support/maintenance/kept-rows.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const TODAY = '2027-03-10'
const SINCE = new Date('2027-03-07T00:00Z')
const SHOP = { all_subjects: false, monitor_ids: [1], server_ids: [], site_ids: [] }
const ALL = { all_subjects: true, monitor_ids: [], server_ids: [], site_ids: [] }

/** Each day from 10:00 to 12:00. */
const daily = recurring({
  ...SHOP,
  rule: 'FREQ=DAILY',
  time_zone: 'UTC',
  local_start: '2027-03-08T10:00',
})
const once = { ...oneOff(`${TODAY}T10:00Z`, `${TODAY}T12:00Z`), ...SHOP }
const turned = switchWindow({ ...SHOP, max_minutes: 240 })

const on = (time: string) => new Date(time.includes('T') ? `${time}Z` : `${TODAY}T${time}Z`)
const clock = (at: Date) => at.toISOString().slice(11, 16)

const rows = (window: MaintenanceWindow, table: KeptRow[]) => keptRows(window, table, on)

function applied(records: WindowRecord[], kept: KeptOccurrence[], from: Date, to: Date): string[] {
  return judgedWindows(records, kept)
    .flatMap((window) => occurrencesBetween(window, from, to).map((one) => ({ ...one, window })))
    .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
    .map(
      ({ startsAt, endsAt, window }) =>
        `${clock(startsAt < from ? from : startsAt)}-${clock(endsAt)} ${window.all_subjects ? 'all' : window.monitor_ids.join()}`,
    )
}

/** The occurrences of today after a change at 11:00, and the rows that it wrote. */
function changed(window: MaintenanceWindow, kept: KeptRow[], next: MaintenanceWindow, now = on('11:00')) {
  const record: WindowRecord = { ...window, id: 7, since: SINCE }
  const stored = rows(window, kept)
  const { since, keep, dropsLater } = changeOf({ window: record, kept: stored }, next, now)
  const all = new Map(
    [...stored.filter(({ startsAt }) => !(dropsLater && startsAt >= now)), ...keep].map((one) => [
      one.startsAt.getTime(),
      one,
    ]),
  )
  return {
    since: since.getTime() === SINCE.getTime() ? null : clock(since),
    kept: keep
      .filter(({ startsAt }) => startsAt >= on('00:00'))
      .map(({ startsAt, endsAt, endedBy }) => [clock(startsAt), clock(endsAt), endedBy]),
    applies: applied([{ ...next, id: 7, since }], [...all.values()], on('00:00'), on('23:59')),
  }
}

describe('a change of a window at 11:00', () => {
  const table: [
    what: string,
    window: MaintenanceWindow,
    kept: KeptRow[],
    next: MaintenanceWindow,
    since: string | null,
    written: (string | null)[][],
    applies: string[],
  ][] = [
    ['of its name changes nothing', daily, [], { ...daily, name: 'New' }, null, [], ['10:00-12:00 1']],
    [
      'of the order of its subjects changes nothing',
      { ...daily, monitor_ids: [1, 2], server_ids: [], site_ids: [] },
      [],
      { ...daily, monitor_ids: [2, 1], server_ids: [], site_ids: [] },
      null,
      [],
      ['10:00-12:00 2,1'],
    ],
    [
      'of its servers counts from now on',
      { ...daily, server_ids: [4] },
      [],
      { ...daily, server_ids: [5] },
      '11:00',
      [['10:00', '11:00', 'change']],
      ['10:00-11:00 1', '11:00-12:00 1'],
    ],
    [
      'of subjects cuts what is running',
      daily,
      [],
      { ...daily, ...ALL },
      '11:00',
      [['10:00', '11:00', 'change']],
      ['10:00-11:00 1', '11:00-12:00 all'],
    ],
    [
      'of subjects of a one-off does, too',
      once,
      [],
      { ...once, ...ALL },
      '11:00',
      [['10:00', '11:00', 'change']],
      ['10:00-11:00 1', '11:00-12:00 all'],
    ],
    [
      'of subjects leaves it ended that a person ended',
      daily,
      [['10:00', '10:30', 'person']],
      { ...daily, ...ALL },
      '11:00',
      [['11:00', '11:00', 'person']],
      ['10:00-10:30 1'],
    ],
    [
      'of subjects leaves it prolonged',
      daily,
      [['10:00', '14:00']],
      { ...daily, ...ALL },
      '11:00',
      [
        ['10:00', '11:00', 'change'],
        ['11:00', '14:00', null],
      ],
      ['10:00-11:00 1', '11:00-14:00 all'],
    ],
    [
      'of subjects leaves a switch on until its end',
      turned,
      [
        ['08:00', '09:00', 'address'],
        ['10:15', '14:15'],
      ],
      { ...turned, ...ALL },
      '11:00',
      [
        ['10:15', '11:00', 'change'],
        ['11:00', '14:15', null],
      ],
      ['08:00-09:00 1', '10:15-11:00 1', '11:00-14:15 all'],
    ],
    [
      'of subjects leaves a switch off that is off',
      turned,
      [['08:00', '09:00']],
      { ...turned, ...ALL },
      '11:00',
      [],
      ['08:00-09:00 1'],
    ],
    [
      'of the longest time of a switch leaves its turn as it is',
      turned,
      [['10:15', '14:15']],
      { ...turned, max_minutes: 5 },
      null,
      [],
      ['10:15-14:15 1'],
    ],
    [
      'of times begins the new plan now',
      daily,
      [],
      { ...daily, duration_minutes: 180 },
      '11:00',
      [['10:00', '11:00', 'change']],
      ['10:00-11:00 1', '11:00-13:00 1'],
    ],
    [
      'of times ends what is running if the new plan has nothing now',
      daily,
      [],
      { ...daily, local_start: '2027-03-08T15:00' },
      '11:00',
      [['10:00', '11:00', 'change']],
      ['10:00-11:00 1', '15:00-17:00 1'],
    ],
    [
      'of times keeps what is over today, and forgets what was called off',
      { ...daily, rule: 'FREQ=DAILY', local_start: '2027-03-08T06:00' },
      [['06:00', '07:00', 'person']],
      { ...daily, local_start: '2027-03-08T15:00' },
      '11:00',
      [],
      ['06:00-07:00 1', '15:00-17:00 1'],
    ],
    [
      'of the times of a one-off that is over does not happen again before',
      { ...once, starts_at: on('08:00'), ends_at: on('09:00') },
      [],
      { ...once, starts_at: on('08:00'), ends_at: on('12:00') },
      '11:00',
      [['08:00', '09:00', null]],
      ['08:00-09:00 1', '11:00-12:00 1'],
    ],
  ]
  for (const [what, window, kept, next, since, written, applies] of table) {
    it(what, () => {
      assert.deepEqual(changed(window, kept, next), { since, kept: written, applies })
    })
  }

  it('keeps called-off days where only subjects change, and not where times do', () => {
    const calledOff: KeptRow[] = [['2027-03-11T10:00', '2027-03-11T10:00', 'person']]
    const tomorrow = (next: MaintenanceWindow) => {
      const { since, keep, dropsLater } = changeOf(
        { window: { ...daily, id: 7, since: SINCE }, kept: rows(daily, calledOff) },
        next,
        on('13:00'),
      )
      const stored = dropsLater ? keep : [...keep, ...rows(daily, calledOff)]
      return applied([{ ...next, id: 7, since }], stored, on('2027-03-11T00:00'), on('2027-03-12T00:00'))
    }
    assert.deepEqual(tomorrow({ ...daily, ...ALL }), [])
    assert.deepEqual(tomorrow({ ...daily, duration_minutes: 60 }), ['10:00-11:00 1'])
  })

  it('keeps what is over of the days before, with the subjects that it had', () => {
    const whole = { window: { ...daily, id: 7, since: SINCE }, kept: rows(daily, []) }
    const { keep } = changeOf(whole, { ...daily, ...ALL }, on('13:00'))
    assert.deepEqual(
      keep.map(({ startsAt, endedBy, monitor_ids }) => [
        startsAt.toISOString().slice(0, 13),
        endedBy,
        monitor_ids,
      ]),
      [
        ['2027-03-08T10', null, [1]],
        ['2027-03-09T10', null, [1]],
        ['2027-03-10T10', null, [1]],
      ],
    )
  })

  it('looks back for forty days, however old the window is', () => {
    const old = { ...daily, local_start: '2026-01-01T10:00' }
    const whole = { window: { ...old, id: 7, since: new Date('2026-01-01T00:00Z') }, kept: [] }
    assert.equal(changeOf(whole, { ...old, ...ALL }, on('13:00')).keep.length, 40)
  })

  it('of subjects, while the day before is prolonged over this one, loses nothing of either', () => {
    const kept: KeptRow[] = [['2027-03-09T10:00', '2027-03-10T13:00']]
    assert.deepEqual(changed(daily, kept, { ...daily, ...ALL }).applies, [
      '00:00-10:00 1',
      '10:00-11:00 1',
      '11:00-13:00 all',
    ])
  })
})

describe('a window that is deleted at 11:00', () => {
  it('ends what is running, and stays where it applied', () => {
    const whole = (window: MaintenanceWindow, kept: KeptRow[]) => ({
      window: { ...window, id: 7, since: SINCE },
      kept: rows(window, kept),
    })
    for (const [window, kept] of [
      [once, []],
      [daily, []],
      [turned, [['10:00', '12:00']]],
    ] as [MaintenanceWindow, KeptRow[]][]) {
      const keep = cutAt(whole(window, kept), on('11:00'))
      assert.equal(keep.at(-1)?.endedBy, 'change')
      assert.deepEqual(applied([], keep, on('00:00'), on('23:59')), ['10:00-11:00 1'])
    }
  })

  it('can be one whose zone this machine does not know', () => {
    const strange = { ...daily, time_zone: 'Europe/Nowhere' }
    assert.deepEqual(cutAt({ window: { ...strange, id: 7, since: SINCE }, kept: [] }, on('11:00')), [])
  })
})
