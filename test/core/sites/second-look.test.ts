import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SiteArea } from '../../../src/core/sites/area.ts'
import type { AreaLook } from '../../../src/core/sites/area-look.ts'
import { nextLookAt } from '../../../src/core/sites/look-schedule.ts'
import { awaitSecondLook, type Doubt, SECOND_LOOK_MS } from '../../../src/core/sites/second-look.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START = Date.parse('2026-11-28T00:00:00Z')
const at = (minute: number) => new Date(START + minute * MINUTE_MS)

type Status = AreaLook<object>['status']
const look = (status: Status, doubt: string | null = null): AreaLook<object> => ({
  ...{ status, cause: status === 'up' ? null : 'a reason', memory: { is: 'new' }, warning: null, doubt },
})

/** Looks at given minutes, as the recorder follows them: the status that counts after each, and how it goes on. */
function follow(area: SiteArea, looks: [minute: number, found: AreaLook<object>][], began: Status = 'up') {
  let doubt: Doubt | null = null
  let status: Status = began
  return looks.map(([minute, found]) => {
    const hasOpenIncident = status === 'down'
    const before = { area, status, hasOpenIncident, doubt, memory: { is: 'old' } }
    const after = awaitSecondLook<object>(before, found, at(minute))
    doubt = after.doubt
    if (after.look.status !== 'pending') status = after.look.status
    const site = { siteId: 7, homeIntervalSeconds: 60 }
    const next = nextLookAt(site, area, { found: found.status, status, doubt }, at(minute))
    return {
      status,
      doubt: doubt?.cause ?? null,
      memory: after.look.memory,
      inMs: next.getTime() - at(minute).getTime(),
    }
  })
}
const statusesOf = (area: SiteArea, minutes: number[], found: Status[]) =>
  follow(
    area,
    minutes.map((minute, index) => [minute, look(found[index] ?? 'down')]),
  ).map(({ status }) => status)

describe('a look that finds an area down', () => {
  const cases: [what: string, SiteArea, minutes: number[], found: Status[], Status[]][] = [
    ['a certificate, minutes later again', 'certificate', [0, 5], ['down', 'down'], ['up', 'down']],
    [
      'a certificate, at once again',
      'certificate',
      [0, 1, 5],
      ['down', 'down', 'down'],
      ['up', 'up', 'down'],
    ],
    ['a certificate, once', 'certificate', [0, 5, 10], ['down', 'up', 'down'], ['up', 'up', 'up']],
    ['a registration, minutes later again', 'domain', [0, 5], ['down', 'down'], ['up', 'up']],
    ['a registration, an hour later again', 'domain', [0, 60], ['down', 'down'], ['up', 'down']],
    ['a name, minutes later again', 'dns', [0, 5], ['down', 'down'], ['up', 'down']],
    [
      'with one between that told nothing',
      'certificate',
      [0, 5, 10],
      ['down', 'pending', 'down'],
      ['up', 'up', 'down'],
    ],
    ['long before', 'certificate', [0, 300], ['down', 'down'], ['up', 'up']],
    ['a home page, which three looks in a row found', 'home_page', [0], ['down'], ['down']],
  ]
  for (const [what, area, minutes, found, expected] of cases)
    test(`${what}: ${expected.join(', ')}`, () =>
      assert.deepEqual(statusesOf(area, minutes, found), expected))

  test('leaves what was remembered as it was, and says what it saw, until the second one decides', () => {
    const [first, second] = follow('domain', [
      [0, look('down')],
      [60, look('down')],
    ])
    assert.deepEqual([first?.memory, first?.doubt, first?.inMs], [{ is: 'old' }, 'a reason', HOUR_MS])
    assert.deepEqual([second?.memory, second?.doubt], [{ is: 'new' }, null])
  })

  test('counts at once where the area is down already, also in a maintenance window', () => {
    const before = { area: 'certificate' as const, hasOpenIncident: false, doubt: null, memory: {} }
    for (const status of ['down', 'maintenance'] as const)
      assert.equal(awaitSecondLook<object>({ ...before, status }, look('down'), at(0)).look.status, 'down')
  })

  test('is followed by looks every minute, of a registry every five, until the area is well', () => {
    for (const [area, everyMs] of [
      ['certificate', MINUTE_MS],
      ['dns', MINUTE_MS],
      ['domain', 5 * MINUTE_MS],
    ] as const) {
      const again = SECOND_LOOK_MS[area] / MINUTE_MS
      const [, down, still, unknown, up] = follow(area, [
        [0, look('down')],
        [again, look('down')],
        [again + 1, look('down')],
        [again + 2, look('pending')],
        [again + 3, look('up')],
      ])
      for (const one of [down, still, unknown]) {
        assert.equal(one?.status, 'down', area)
        assert.ok((one?.inMs ?? 0) <= everyMs, area)
      }
      assert.equal(up?.status, 'up', area)
    }
  })

  test('has a warning wait for the next look, soon, where the look doubts it', () => {
    const [first, second] = follow('certificate', [
      [0, look('up', 'another issuer')],
      [5, look('up')],
    ])
    assert.deepEqual([first?.status, first?.doubt, first?.inMs], ['up', 'another issuer', 5 * MINUTE_MS])
    assert.equal(second?.doubt, null)
  })
})

test('areas without trouble keep their schedule', () => {
  const site = { siteId: 7, homeIntervalSeconds: 300 }
  const gap = (area: SiteArea, found: Status) => {
    const after = { found, status: 'up' as const, doubt: null }
    const first = nextLookAt(site, area, after, at(0))
    return (nextLookAt(site, area, after, first).getTime() - first.getTime()) / MINUTE_MS
  }
  assert.deepEqual(
    SiteArea.options.map((area) => gap(area, 'up')),
    [5, 60, 5, 1_440, 1_440, 1_440, 1_440],
  )
  assert.deepEqual(
    (['certificate', 'dns', 'domain', 'links'] as const).map((area) => gap(area, 'pending')),
    [5, 5, 60, 60],
  )
})
