import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planSettings, type SharedSetting } from '../../../dashboard/forms/monitors/bulk/settings-plan.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'

const FREE = {
  plan: { min_interval_minutes: 5, min_interval_seconds: 300 },
  planName: 'free' as const,
  refuseAddress: () => null,
}
const monitor = (given: Partial<Monitor>) =>
  ({
    ...{ id: 1, type: 'http', check_interval_minutes: 5, check_interval_seconds: null },
    ...{ expected_keyword: null, request_timeout_seconds: 30, notification_contacts: [] },
    ...given,
  }) as unknown as Monitor
const plan = (given: Partial<Monitor>, values: object, setting: SharedSetting) =>
  planSettings([monitor(given)], values, [setting], {
    policies: new Map([[1, 7]]),
    context: FREE,
  })[0]

describe('new values of a monitor among many', () => {
  it('change what differs', () => {
    const found = plan({}, { request_timeout_seconds: 9 }, 'request_timeout_seconds')
    assert.deepEqual(found?.changes, [{ setting: 'request_timeout_seconds', from: 30, to: 9 }])
    assert.deepEqual(found?.patch, { request_timeout_seconds: 9 })
  })

  it('change nothing that is so already, in whatever unit', () => {
    const values = { check_interval_minutes: 15 as const, check_interval_seconds: null }
    const found = plan({ check_interval_seconds: 900 }, values, 'check_interval_minutes')
    assert.deepEqual([found?.changes, found?.patch], [[], {}])
  })

  it('clear exact seconds where minutes are chosen', () => {
    const values = { check_interval_minutes: 5 as const, check_interval_seconds: null }
    const found = plan({ check_interval_seconds: 900 }, values, 'check_interval_minutes')
    assert.deepEqual(found?.patch, values)
  })

  it('are not for types without the setting', () => {
    const found = plan({ type: 'heartbeat' }, { request_timeout_seconds: 9 }, 'request_timeout_seconds')
    assert.deepEqual([found?.changes, found?.lacks], [[], ['request_timeout_seconds']])
  })

  it('are refused by the plan and by the type', () => {
    const values = { check_interval_minutes: 1 as const, check_interval_seconds: null }
    assert.ok(plan({}, values, 'check_interval_minutes')?.faults?.check_interval_minutes)
    const cleared = { expected_keyword: null }
    assert.ok(
      plan({ type: 'keyword', expected_keyword: 'tea' }, cleared, 'expected_keyword')?.faults
        ?.expected_keyword,
    )
  })

  it('are options, each by itself, for the types that have them', () => {
    const options = { attempts: 3, inverted: true }
    const values = { options: { attempts: 4, inverted: null } }
    const [found] = planSettings([monitor({ options })], values, ['options.attempts', 'options.inverted'], {
      policies: new Map(),
      context: FREE,
    })
    assert.deepEqual(found?.changes, [
      { setting: 'options.attempts', from: 3, to: 4 },
      { setting: 'options.inverted', from: true, to: null },
    ])
    assert.deepEqual(found?.patch, values)
    const heartbeat = plan({ type: 'heartbeat', options: null }, values, 'options.attempts')
    assert.deepEqual([heartbeat?.patch, heartbeat?.lacks], [{}, ['options.attempts']])
  })

  it('are a policy of its own, which no patch holds', () => {
    const found = plan({}, { policy_id: null }, 'policy_id')
    assert.deepEqual([found?.changes, found?.patch], [[{ setting: 'policy_id', from: 7, to: null }], {}])
  })
})
