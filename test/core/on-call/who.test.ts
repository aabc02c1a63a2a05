import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { onCallAt, shifts, shiftsTouching, who } from '../../../src/core/on-call/who.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { whoByLooking } from '../../support/on-call/brute-force.ts'
import { scheduleAndInstants } from '../../support/on-call/random-schedules.ts'
import { layer, schedule, type TestSchedule } from '../../support/on-call/schedules.ts'

const RUNS = AT_LENGTH ? 10_000 : 200

const at = (time: string) => new Date(time)
const keyAt = (one: TestSchedule, time: string) => who(one, at(time))?.key ?? null
const lines = (one: TestSchedule, from: string, until: string) =>
  shifts(one, at(from), at(until)).map(
    ({ participant, startsAt }) => `${startsAt.toISOString().slice(0, 16)} ${participant?.key ?? 'gap'}`,
  )

describe('who is on call', () => {
  test('changes at the hand-over, and is nobody before the first', () => {
    const one = schedule()
    assert.equal(keyAt(one, '2027-01-04T07:59:59Z'), null)
    assert.equal(keyAt(one, '2027-01-04T08:00Z'), 1)
    assert.equal(keyAt(one, '2027-01-11T07:59:59.999Z'), 1)
    assert.equal(keyAt(one, '2027-01-11T08:00Z'), 2)
    assert.equal(keyAt(one, '2027-01-18T08:00Z'), 1)
  })

  test('begins on the first hand-over day from the start on', () => {
    const one = schedule({ layers: [layer({ starts_on: '2027-01-05', hand_over_day: 'FR' })] })
    assert.equal(keyAt(one, '2027-01-08T07:59Z'), null)
    assert.equal(keyAt(one, '2027-01-08T08:00Z'), 1)
  })

  test('takes turns of several days, in the order of the rotation', () => {
    const one = schedule({ layers: [layer({ unit: 'day', every: 2, rotation: [3, 1, 1] })] })
    assert.deepEqual(
      [4, 5, 6, 8, 10].map((day) => keyAt(one, `2027-01-${String(day).padStart(2, '0')}T12:00Z`)),
      [3, 3, 1, 1, 3],
    )
  })

  test('is of the last layer that has somebody, and of the layers before it outside of its hours', () => {
    const office = { days: ['MO', 'TU', 'WE', 'TH', 'FR'] as const, from: '09:00', until: '17:00' }
    const one = schedule({
      layers: [
        layer({ rotation: [1] }),
        layer({ rotation: [2], hours: { ...office, days: [...office.days] } }),
      ],
    })
    assert.deepEqual(lines(one, '2027-01-08T00:00Z', '2027-01-12T00:00Z'), [
      '2027-01-08T00:00 1',
      '2027-01-08T08:00 2',
      '2027-01-08T16:00 1',
      '2027-01-11T08:00 2',
      '2027-01-11T16:00 1',
    ])
  })

  test('has hours that go over midnight and belong to the day on which they begin', () => {
    const one = schedule({
      layers: [layer({ rotation: [1], hours: { days: ['SA'], from: '22:00', until: '06:00' } })],
    })
    assert.deepEqual(lines(one, '2027-01-08T00:00Z', '2027-01-12T00:00Z'), [
      '2027-01-08T00:00 gap',
      '2027-01-09T21:00 1',
      '2027-01-10T05:00 gap',
    ])
  })

  test('is of an override before all layers, the last one where they overlap', () => {
    const overrides = [
      { participant: 3, startsAt: at('2027-01-05T00:00Z'), endsAt: at('2027-01-07T00:00Z') },
      { participant: 2, startsAt: at('2027-01-06T00:00Z'), endsAt: at('2027-01-06T12:00Z') },
    ]
    assert.deepEqual(lines(schedule({ overrides }), '2027-01-04T12:00Z', '2027-01-08T00:00Z'), [
      '2027-01-04T12:00 1',
      '2027-01-05T00:00 3',
      '2027-01-06T00:00 2',
      '2027-01-06T12:00 3',
      '2027-01-07T00:00 1',
    ])
  })

  test('is nobody in layers of a zone that this machine does not know, and an override all the same', () => {
    const overrides = [{ participant: 3, startsAt: at('2027-01-05T00:00Z'), endsAt: at('2027-01-07T00:00Z') }]
    const one = schedule({ time_zone: 'Mars/Olympus', overrides })
    assert.deepEqual(lines(one, '2027-01-04T12:00Z', '2027-01-08T00:00Z'), [
      '2027-01-04T12:00 gap',
      '2027-01-05T00:00 3',
      '2027-01-07T00:00 gap',
    ])
  })

  test('follows the clocks: a hand-over that is skipped moves on, one that occurs twice is taken once, the first', () => {
    const daily = (hand_over_at: string) => schedule({ layers: [layer({ unit: 'day', hand_over_at })] })
    // 02:30 is skipped on 2027-03-28, and is 03:30 then.
    assert.deepEqual(
      shifts(daily('02:30'), at('2027-03-27T02:00Z'), at('2027-03-29T12:00Z')).map(({ startsAt }) =>
        startsAt.toISOString(),
      ),
      ['2027-03-27T02:00:00.000Z', '2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
    )
    // It occurs at 00:30 and at 01:30 UTC on 2027-10-31.
    assert.deepEqual(
      shifts(daily('02:30'), at('2027-10-30T02:00Z'), at('2027-11-01T12:00Z')).map(({ startsAt }) =>
        startsAt.toISOString(),
      ),
      ['2027-10-30T02:00:00.000Z', '2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
    )
  })

  test(`equals what looking at every day says, for ${RUNS} schedules over clock changes`, () => {
    fc.assert(
      fc.property(scheduleAndInstants, ({ schedule: one, instants }) => {
        for (const ms of instants) {
          assert.equal(who(one, new Date(ms))?.key ?? null, whoByLooking(one, ms), new Date(ms).toISOString())
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('shifts', () => {
  test(`tile a range, and are what is said of each instant, for ${RUNS} schedules`, () => {
    fc.assert(
      fc.property(scheduleAndInstants, ({ schedule: one, instants }) => {
        const from = new Date(Math.min(...instants))
        const until = new Date(Math.max(...instants) + 1)
        const found = shifts(one, from, until)
        assert.deepEqual(
          found.map(({ startsAt }) => startsAt),
          [from, ...found.slice(0, -1).map(({ endsAt }) => endsAt)],
        )
        assert.deepEqual(found.at(-1)?.endsAt, until)
        for (const [index, { participant, startsAt, endsAt }] of found.entries()) {
          assert.ok(startsAt < endsAt)
          assert.notEqual(participant, found[index + 1]?.participant ?? 'none')
          assert.equal(who(one, startsAt), participant)
          assert.equal(who(one, new Date(endsAt.getTime() - 1)), participant)
        }
        for (const ms of instants) {
          const holding = found.find(
            ({ startsAt, endsAt }) => startsAt.getTime() <= ms && ms < endsAt.getTime(),
          )
          assert.ok(holding)
          assert.equal(holding.participant, who(one, new Date(ms)))
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('of a range come whole where only a part is asked for', () => {
    const [only, ...others] = shiftsTouching(schedule(), at('2027-01-13T00:00Z'), at('2027-01-14T00:00Z'))
    assert.deepEqual(others, [])
    assert.deepEqual(
      [only?.participant, only?.startsAt, only?.endsAt],
      [{ key: 2 }, at('2027-01-11T08:00Z'), at('2027-01-18T08:00Z')],
    )
  })

  test('of no time are none, and those of too long a time are refused', () => {
    assert.deepEqual(shifts(schedule(), at('2027-01-04T12:00Z'), at('2027-01-04T12:00Z')), [])
    assert.throws(() => shifts(schedule(), at('2027-01-01T00:00Z'), at('2028-12-01T00:00Z')), RangeError)
  })
})

describe('who is on call now', () => {
  test('comes with the time of the next change, and who comes then', () => {
    assert.deepEqual(onCallAt(schedule(), at('2027-01-05T00:00Z')), {
      participant: { key: 1 },
      until: at('2027-01-11T08:00Z'),
      next: { participant: { key: 2 }, startsAt: at('2027-01-11T08:00Z') },
    })
  })

  test('names who ends a gap', () => {
    const { participant, until, next } = onCallAt(schedule(), at('2027-01-01T00:00Z'))
    assert.deepEqual([participant, until, next?.participant], [null, at('2027-01-04T08:00Z'), { key: 1 }])
  })

  test('has no end where nothing changes for a month', () => {
    const alone = schedule({ layers: [layer({ rotation: [1] })] })
    assert.deepEqual(onCallAt(alone, at('2027-02-01T00:00Z')), {
      participant: { key: 1 },
      until: null,
      next: null,
    })
  })
})
