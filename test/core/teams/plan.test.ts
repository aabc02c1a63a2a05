import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canAddMonitor, DEFAULT_PLANS, overridePlans, PlanOverrides } from '../../../src/core/teams/plan.ts'

test('the plans have the limits that they are sold with', () => {
  const limits = Object.entries(DEFAULT_PLANS).map(([name, plan]) => [name, ...Object.values(plan)])
  assert.deepEqual(limits, [
    ['free', 10, 5, 300, 3, 1, 0, 3, 1, 100],
    ['starter', 50, 1, 60, 30, 3, 1, 10, 3, 500],
    ['pro', 200, 1, 30, 90, 10, 5, 50, 20, 2_000],
    ['business', null, 1, 1, null, null, null, null, null, 5_000],
  ])
})

test('a team may add monitors up to the limit; without a limit always', () => {
  const table: [plan: keyof typeof DEFAULT_PLANS, count: number, can: boolean][] = [
    ['free', 9, true],
    ['free', 10, false],
    ['free', 11, false],
    ['business', 1_000_000, true],
  ]
  for (const [plan, count, can] of table) assert.equal(canAddMonitor(DEFAULT_PLANS[plan], count), can)
})

test('an override changes what it names and nothing else', () => {
  const plans = overridePlans(
    PlanOverrides.parse({ free: { max_monitors: 20 }, pro: { max_monitors: null } }),
  )
  assert.deepEqual(plans.free, { ...DEFAULT_PLANS.free, max_monitors: 20 })
  assert.equal(plans.pro.max_monitors, null)
  assert.deepEqual([plans.starter, plans.business], [DEFAULT_PLANS.starter, DEFAULT_PLANS.business])
})

test('an override of an unknown plan or limit, or beyond reason, is refused', () => {
  for (const override of [
    { gold: {} },
    { free: { monitors: 1 } },
    { free: { max_monitors: -1 } },
    { free: { min_interval_seconds: 0 } },
    { free: { min_interval_minutes: 1.5 } },
  ]) {
    assert.equal(PlanOverrides.safeParse(override).success, false, JSON.stringify(override))
  }
})
