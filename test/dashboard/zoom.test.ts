import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readZoom, zoomAround, zoomSince } from '../../dashboard/data/zoom.ts'
import { pinchedTo, zoomedBy, zoomOf } from '../../dashboard/parts/charts/zooming.ts'

const HOUR = 3_600
const LIMITS = { now: 100 * HOUR, maxSeconds: 50 * HOUR }

describe('the zoom of a chart', () => {
  it('is as long as the shortest, where less was drawn', () => {
    assert.deepEqual(zoomOf(1_000.4, 5_000.2), { from: 1_000, to: 5_001 })
    assert.deepEqual(zoomOf(1_000, 1_060), { from: 880, to: 1_180 })
  })

  it('is read from an address only with both of its ends, far enough apart', () => {
    assert.deepEqual(readZoom(1_000, 1_300), { from: 1_000, to: 1_300 })
    const wrong = [
      [1_000, 1_299],
      [1_000, undefined],
      ['1000', 2_000],
      [-1, 2_000],
      [2_000, 1_000],
    ]
    for (const [from, to] of wrong) assert.equal(readZoom(from, to), null)
  })

  it('keeps the point that it is made around where it is', () => {
    const shown = { from: 40 * HOUR, to: 48 * HOUR }
    assert.deepEqual(zoomedBy(0.5, shown, { at: 42 * HOUR, ...LIMITS }), { from: 41 * HOUR, to: 45 * HOUR })
    assert.deepEqual(zoomedBy(2, shown, { at: 42 * HOUR, ...LIMITS }), { from: 38 * HOUR, to: 54 * HOUR })
  })

  it('never ends later than now', () => {
    const shown = { from: 90 * HOUR, to: 100 * HOUR }
    assert.deepEqual(zoomedBy(2, shown, { at: 95 * HOUR, ...LIMITS }), { from: 80 * HOUR, to: 100 * HOUR })
  })

  it('ends at the shortest and at the longest', () => {
    const least = { from: 1_000, to: 1_300 }
    assert.equal(zoomedBy(0.5, least, { at: 1_100, ...LIMITS }), null)
    const most = { from: 40 * HOUR, to: 90 * HOUR }
    assert.equal(zoomedBy(2, most, { at: 50 * HOUR, ...LIMITS }), null)
    const almost = zoomedBy(2, { from: 40 * HOUR, to: 70 * HOUR }, { at: 55 * HOUR, ...LIMITS })
    assert.deepEqual(almost, { from: 30 * HOUR, to: 80 * HOUR })
  })

  it('keeps two moments under the fingers that hold them', () => {
    const held = [42 * HOUR, 44 * HOUR] as const
    const apart = pinchedTo(held, { at: [100, 300], width: 400 }, LIMITS)
    assert.deepEqual(apart, { from: 41 * HOUR, to: 45 * HOUR })
    const together = pinchedTo(held, { at: [200, 220], width: 400 }, LIMITS)
    assert.deepEqual(together, { from: 22 * HOUR, to: 62 * HOUR })
    const moved = pinchedTo(held, { at: [0, 200], width: 400 }, LIMITS)
    assert.deepEqual(moved, { from: 42 * HOUR, to: 46 * HOUR })
  })

  it('is limited for fingers, too, and nothing where they meet or cross', () => {
    const held = [98 * HOUR, 99 * HOUR] as const
    assert.deepEqual(pinchedTo(held, { at: [0, 100], width: 400 }, LIMITS), {
      from: 96 * HOUR,
      to: 100 * HOUR,
    })
    assert.deepEqual(pinchedTo(held, { at: [199, 201], width: 400 }, LIMITS), {
      from: 50 * HOUR,
      to: 100 * HOUR,
    })
    const close = pinchedTo([1_000, 1_010], { at: [0, 400], width: 400 }, LIMITS)
    assert.deepEqual(close, { from: 855, to: 1_155 })
    assert.equal(pinchedTo(held, { at: [200, 200], width: 400 }, LIMITS), null)
    assert.equal(pinchedTo(held, { at: [200, 100], width: 400 }, LIMITS), null)
  })
})

describe('the stretch around an incident', () => {
  const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const MINUTE = 60
  const table: [what: string, start: number, end: number | null, now: number, expected: [number, number]][] =
    [
      [
        'shows half an hour before and after a short one',
        10 * HOUR,
        10 * HOUR + 90,
        20 * HOUR,
        [9.5 * HOUR, 10.5 * HOUR + 2 * MINUTE],
      ],
      ['shows half as much again around a long one', 10 * HOUR, 14 * HOUR, 20 * HOUR, [8 * HOUR, 16 * HOUR]],
      ['ends now where it goes on', 10 * HOUR, null, 10 * HOUR + 61, [9.5 * HOUR, 10 * HOUR + 2 * MINUTE]],
      ['never ends later than now', 10 * HOUR, 11 * HOUR, 11 * HOUR + 30, [9.5 * HOUR, 11 * HOUR + MINUTE]],
      ['keeps the end of one that is too long', 10 * HOUR, 100 * HOUR, 500 * HOUR, [95 * HOUR, 145 * HOUR]],
    ]
  for (const [what, start, end, now, [from, to]] of table) {
    it(what, () => {
      const incident = { start: iso(start), end: end === null ? null : iso(end) }
      assert.deepEqual(zoomAround(incident, now * 1_000, 50 * HOUR), { from, to })
    })
  }
})

describe('the stretch that is drawn of a record', () => {
  const at = (hours: number) => new Date(hours * HOUR * 1_000).toISOString()
  const day = { from: 76 * HOUR, to: 100 * HOUR }
  const table: [what: string, createdAt: string, from: number][] = [
    ['is whole where the record is older', at(10), 76 * HOUR],
    ['begins with a newer one', at(98), 98 * HOUR],
    ['is five minutes at least', at(99.99), 100 * HOUR - 300],
  ]
  for (const [what, createdAt, from] of table) {
    it(what, () => assert.deepEqual(zoomSince(day, createdAt), { from, to: 100 * HOUR }))
  }
})
