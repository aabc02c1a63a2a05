import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FIRST_STEPS, type FirstStep, firstStepsOf } from '../../../src/core/overview/first-steps.ts'

const NOW = new Date('2026-11-29T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const allBut = (...left: FirstStep[]) =>
  Object.fromEntries(FIRST_STEPS.map((step) => [step, !left.includes(step)])) as Record<FirstStep, boolean>

describe('the first steps of a team', () => {
  const cases: { says: string; left: FirstStep[]; days: number; isShown: boolean }[] = [
    { says: 'are shown from the start', left: [...FIRST_STEPS], days: 0, isShown: true },
    ...FIRST_STEPS.map((step) => ({
      says: `are shown while one is left: ${step}`,
      left: [step],
      days: 1,
      isShown: true,
    })),
    { says: 'are gone once all are done', left: [], days: 0, isShown: false },
    { says: 'are gone for an older team', left: ['status_page', 'people'], days: 30, isShown: false },
    { says: 'are shown to an older team that watches nothing', left: ['subject'], days: 400, isShown: true },
  ]
  for (const { says, left, days, isShown } of cases) {
    it(says, () => {
      const done = allBut(...left)
      assert.deepEqual(firstStepsOf(done, daysAgo(days), NOW), { is_shown: isShown, done })
    })
  }
})
