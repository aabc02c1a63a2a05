import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import { storyChecks } from '../../../src/core/monitors/incident-story.ts'

const START = 100
const at = (second: number) => new Date(second * 1_000)

/** A check a second: up until 100, down from then on, up again at `end`. */
function checksUntil(last: number, end: number | null) {
  return Array.from({ length: last + 1 }, (_, second) => ({
    checkedAt: at(second),
    status: second >= START && (end === null || second < end) ? ('down' as const) : ('up' as const),
  }))
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('the checks that tell of an incident', () => {
  const table: [what: string, last: number, end: number | null, shown: number[], within: number][] = [
    ['a short one is told whole', 110, 103, [...range(95, 99), 100, 101, 102, 103], 4],
    [
      'of a long one the first failures, the last ones and the recovery',
      300,
      200,
      [...range(95, 99), ...range(100, 119), ...range(195, 199), 200],
      101,
    ],
    ['one that lasts has no recovery yet', 150, null, [...range(95, 119), ...range(146, 150)], 51],
  ]
  for (const [what, last, end, shown, within] of table) {
    test(what, () => {
      const incident = { startedAt: at(START), resolvedAt: end === null ? null : at(end) }
      const story = storyChecks(checksUntil(last, end), incident)
      assert.deepEqual(
        story.shown.map(({ checkedAt }) => checkedAt.getTime() / 1_000),
        shown,
      )
      assert.deepEqual([story.shownWithin, story.countWithin], [shown.length - 5, within])
    })
  }

  test('one that a pause ended shows no check that passed', () => {
    const checks = checksUntil(104, null)
    const { shown } = storyChecks(checks, { startedAt: at(START), resolvedAt: at(104.5) })
    assert.equal(shown.at(-1)?.status, 'down')
  })

  test('of a first failure without anything before it, it shows that', () => {
    const checks = [{ checkedAt: at(START), status: 'down' as const }]
    assert.deepEqual(storyChecks(checks, { startedAt: at(START), resolvedAt: null }).shown, checks)
    assert.deepEqual(storyChecks([], { startedAt: at(START), resolvedAt: null }).shown, [])
  })

  test('checks chosen from chosen parts are the checks chosen from the whole', () => {
    const status = fc.constantFrom(...CheckStatus.options, 'down' as const, 'down' as const)
    const statuses = fc.array(status, { maxLength: 120 })
    const cut = fc.nat(120)
    fc.assert(
      fc.property(statuses, cut, cut, cut, (statuses, from, length, middle) => {
        const checks = statuses.map((status, second) => ({ checkedAt: at(second), status }))
        const incident = { startedAt: at(from), resolvedAt: at(from + length) }
        const parts = [checks.slice(0, middle), checks.slice(middle)]
        const chosen = parts.flatMap((part) => storyChecks(part, incident).shown)
        assert.deepEqual(storyChecks(chosen, incident).shown, storyChecks(checks, incident).shown)
      }),
    )
  })
})
