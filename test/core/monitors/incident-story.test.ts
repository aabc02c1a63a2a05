import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Delivery } from '../../../src/core/alerting/delivery-log.ts'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import {
  alertedContacts,
  foldPassed,
  type StoryEvent,
  storyChecks,
} from '../../../src/core/monitors/incident-story.ts'

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

/** Events by letters: `u` is a check that passed, `w` one that warned and passed, `d` one that failed; `o` is the opening. */
function eventsIn(line: string): StoryEvent[] {
  const status = { u: 'up', w: 'degraded', d: 'down' } as const
  return [...line].map((letter, second) => {
    const time = at(second).toISOString()
    if (letter === 'o') return { kind: 'opened', at: time, cause: null }
    const check = { checked_at: time, status: status[letter as keyof typeof status] }
    return { kind: 'check', at: time, check } as StoryEvent
  })
}

describe('the checks that passed', () => {
  const table: [events: string, lines: string][] = [
    ['uuuuudodd', '5dodd'],
    ['uwuodu', '3odu'],
    ['udo', 'udo'],
    ['odduu', 'odd2'],
    ['uoudu', 'uoudu'],
    ['', ''],
  ]
  for (const [events, lines] of table) {
    test(`of ${events || 'none'} are the lines ${lines || 'none'}`, () => {
      const given = eventsIn(events)
      const shown = foldPassed(given).map((event) =>
        event.kind === 'passed' ? String(event.checks.length) : events[given.indexOf(event)],
      )
      assert.equal(shown.join(''), lines)
    })
  }
})

test('contacts count as alerted by what reached them of its beginning, each once', () => {
  const told = (contact_name: string, event: Delivery['event'], state: Delivery['state']) => ({
    contact_name,
    event,
    state,
  })
  const deliveries = [
    told('Ops', 'monitor.down', 'sent'),
    told('Phone', 'monitor.down', 'failed'),
    told('Chat', 'site.degraded', 'sent'),
    told('Ops', 'monitor.down', 'sent'),
    told('Boss', 'server.recovery', 'sent'),
    told('Night', 'monitor.down', 'pending'),
  ]
  assert.deepEqual(alertedContacts(deliveries), ['Ops', 'Chat'])
})
