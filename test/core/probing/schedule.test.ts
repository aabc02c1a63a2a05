import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nextTickMs, phaseMs } from '../../../src/core/probing/schedule.ts'

const id = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const interval = fc.integer({ min: 1, max: 31_536_000 }).map((seconds) => seconds * 1_000)
const now = fc.integer({ min: 0, max: 4_000_000_000_000 })

describe('the ticks of a monitor', () => {
  test('its phase lies in its interval, and is the same every time', () => {
    fc.assert(
      fc.property(id, interval, (id, intervalMs) => {
        const phase = phaseMs(id, intervalMs)
        assert.ok(Number.isInteger(phase) && phase >= 0 && phase < intervalMs)
        assert.equal(phaseMs(id, intervalMs), phase)
      }),
    )
  })

  test('the next tick lies after now, at most an interval away, in phase', () => {
    fc.assert(
      fc.property(id, interval, now, (id, intervalMs, nowMs) => {
        const phase = phaseMs(id, intervalMs)
        const tick = nextTickMs(nowMs, intervalMs, phase)
        assert.ok(tick > nowMs && tick <= nowMs + intervalMs)
        assert.equal(tick % intervalMs, phase)
      }),
    )
  })

  test('the phases of consecutive ids are spread evenly', () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (let id = 1; id <= 10_000; id++) {
      const tenth = Math.floor(phaseMs(id, 60_000) / 6_000)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    for (const count of tenths) assert.ok(count > 900 && count < 1_100, `${tenths}`)
  })

  test('ticks of all monitors fall on a grid of 50 ms, so that checks start together', () => {
    fc.assert(
      fc.property(id, interval, now, (id, intervalMs, nowMs) => {
        assert.equal(nextTickMs(nowMs, intervalMs, phaseMs(id, intervalMs)) % 50, 0)
      }),
    )
  })
})
