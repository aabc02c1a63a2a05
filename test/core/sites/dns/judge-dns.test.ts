import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparableSet, isBehindCdn, policiesOf } from '../../../../src/core/sites/dns/records.ts'
import {
  answered,
  CALM_WAYS,
  DAY_MS,
  LOOK_EVERY_MS,
  SETS,
  watch,
  watchCalm,
} from '../../../support/sites/dns-history.ts'

// test/long watches a month.
describe('two days of DNS that', () => {
  for (const way of CALM_WAYS)
    test(`${way}, with 1 % flaky answers: silence`, () =>
      assert.deepEqual(watchCalm(way, 2, 1), { told: [], statuses: ['up'] }))
})

describe('a change of DNS', () => {
  for (const [type, before, after] of [
    ['mx', SETS.mx, ['10 other.example']],
    ['ns', SETS.ns, ['ns1.other.example']],
    ['caa', [], ['0 issue "authority.org"']],
    ['spf', SETS.spf, []],
    ['dmarc', [], ['v=DMARC1; p=none']],
  ] as const)
    test(`of ${type} is told within 10 minutes, once, with before and after`, () => {
      const { told } = watch(20, (index) => answered(index < 10 ? {} : { [type]: [...after] }))
      const list = (set: readonly string[]) => (set.length === 0 ? 'none' : set.join(', '))
      const text = `${type.toUpperCase()} changed from ${list(before)} to ${list(after)}`
      // It came after the look of minute 45.
      assert.deepEqual(told, [[55, text]])
    })

  test('of addresses is told where they hardly ever change, and once the site is known for a day', () => {
    const days = DAY_MS / LOOK_EVERY_MS
    const moved = { a: ['198.51.100.9'] }
    const { told } = watch(3 * days, (index) => answered(index < 2 * days ? {} : moved))
    assert.deepEqual(
      told.map(([, text]) => text),
      ['A changed from 198.51.100.1 to 198.51.100.9'],
    )
    assert.deepEqual(watch(days, (index) => answered(index < days / 2 ? {} : moved)).told, [])
  })

  test('to a name that does not exist is down, after two looks', () => {
    const { statuses } = watch(6, (index) => (index < 3 ? answered() : { kind: 'no_such_name' }))
    assert.deepEqual(statuses, ['up', 'down'])
  })

  test('of one name server alone warns while it lasts', () => {
    const lasting = (index: number) => index >= 3 && index < 8
    const { statuses } = watch(12, (index) =>
      answered({}, { silent: lasting(index) ? ['ns1.shop.com'] : [] }),
    )
    assert.deepEqual(statuses, ['up', 'degraded', 'up'])
  })

  test('of one name server and then of another is the way there, which loses packets', () => {
    const { statuses } = watch(12, (index) =>
      answered({}, { silent: index >= 3 && index < 8 ? [`ns${(index % 2) + 1}.shop.com`] : [] }),
    )
    assert.deepEqual(statuses, ['up'])
  })
})

test('records compare without order, case, final dots and doubles; policies are told from other texts', () => {
  assert.deepEqual(comparableSet('mx', ['20 B.example.', '10 a.example', '10 A.example.']), [
    '10 a.example',
    '20 b.example',
  ])
  assert.deepEqual(policiesOf('spf', ['v=spf1 -all', 'v=spf10', 'google=x']), ['v=spf1 -all'])
  assert.deepEqual(policiesOf('dmarc', ['v=DMARC1; p=none', 'v=spf1']), ['v=DMARC1; p=none'])
  assert.ok(isBehindCdn(null, ['a.ns.cloudflare.com']) && !isBehindCdn('shop.example', ['ns1.shop.com']))
})
