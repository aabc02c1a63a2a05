import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  commonCutoffs,
  cutoffsOf,
  nextWhole,
  startOfDay,
  windowStart,
} from '../../../src/core/history/history-span.ts'
import { DEFAULT_PLANS, type PlanName } from '../../../src/core/teams/plan.ts'

const NOW = new Date('2027-06-30T12:34:56Z')

test('the disk keeps what a plan shows and a day more, roll-ups 90 days, hours of servers 400, pings less than 30', () => {
  const cases: [PlanName, number | null, number | null, number | null, number][] = [
    ['free', 3, 90, 400, 3],
    ['starter', 30, 90, 400, 28],
    ['pro', 90, 90, 400, 28],
    ['business', null, null, null, 28],
  ]
  for (const [plan, checks, rollUps, servers, pings] of cases) {
    const daysBack = (days: number | null) => windowStart(days === null ? null : days + 1, NOW)
    assert.deepEqual(
      cutoffsOf(DEFAULT_PLANS[plan], NOW),
      {
        checks: daysBack(checks),
        rollUps: daysBack(rollUps),
        servers: daysBack(servers),
        pings: daysBack(pings),
      },
      plan,
    )
  }
})

test('history is kept for the longest time that a plan in use shows', () => {
  assert.equal(commonCutoffs(DEFAULT_PLANS, [], NOW), null)
  assert.deepEqual(
    commonCutoffs(DEFAULT_PLANS, ['free', 'pro', 'starter'], NOW),
    cutoffsOf(DEFAULT_PLANS.pro, NOW),
  )
  assert.deepEqual(commonCutoffs(DEFAULT_PLANS, ['business', 'free'], NOW)?.checks, null)
})

test('days and hours are UTC and begin at their first instant', () => {
  assert.equal(startOfDay(NOW).toISOString(), '2027-06-30T00:00:00.000Z')
  assert.equal(startOfDay(NOW, 1).toISOString(), '2027-07-01T00:00:00.000Z')
  assert.equal(nextWhole(NOW, 3_600_000).toISOString(), '2027-06-30T13:00:00.000Z')
  assert.equal(nextWhole(startOfDay(NOW), 3_600_000).toISOString(), '2027-06-30T00:00:00.000Z')
})
