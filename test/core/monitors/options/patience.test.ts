import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MonitorType } from '../../../../src/core/monitors/monitor-types.ts'
import {
  mergeOptions,
  optionFaults,
  optionsOfType,
} from '../../../../src/core/monitors/options/monitor-options.ts'
import { PATIENCE, patienceOf } from '../../../../src/core/monitors/options/patience.ts'

const TEAM = { confirmations: 2, recovery_checks: 3 }

it("is the team's where a monitor sets nothing", () => {
  for (const options of [null, undefined, { inverted: false }])
    assert.deepEqual(patienceOf(options, TEAM), {
      ...TEAM,
      attempts: null,
      retryMs: 20_000,
      isInverted: false,
    })
})

it("is the monitor's where it sets something, and one attempt is something", () => {
  assert.deepEqual(patienceOf({ attempts: 1 }, TEAM), {
    attempts: 1,
    confirmations: 0,
    recovery_checks: 3,
    retryMs: 20_000,
    isInverted: false,
  })
  assert.deepEqual(patienceOf({ retry_seconds: 5, recovery_checks: 1, inverted: true }, TEAM), {
    attempts: null,
    confirmations: 2,
    recovery_checks: 1,
    retryMs: 5_000,
    isInverted: true,
  })
})

it('has attempts for every type that is probed, and the rest for all but those without an interval, which others judge', () => {
  const ofGroups = ['repeat_minutes', 'depends_on']
  const ofJobs = ['recovery_checks', 'inverted', ...ofGroups]
  const own: Partial<Record<MonitorType, string[]>> = { heartbeat: ofJobs, group: ofGroups, manual: ofGroups }
  for (const type of MonitorType.options)
    assert.deepEqual(
      optionsOfType(type).filter((name) => name in PATIENCE),
      own[type] ?? ['attempts', 'retry_seconds', ...ofJobs],
    )
  assert.deepEqual(
    optionFaults('heartbeat', { attempts: null, inverted: true }).map(({ field }) => field),
    ['options.attempts'],
  )
})

it('is merged by key: null removes one or all, and nothing left is null', () => {
  const stored = { attempts: 3, inverted: true }
  assert.equal(mergeOptions(stored, undefined), stored)
  assert.deepEqual(mergeOptions(stored, {}), stored)
  assert.deepEqual(mergeOptions(stored, { attempts: null, retry_seconds: 5 }), {
    retry_seconds: 5,
    inverted: true,
  })
  assert.deepEqual(Object.keys(mergeOptions({ inverted: true }, { attempts: 2 }) ?? {}), [
    'attempts',
    'inverted',
  ])
  assert.equal(mergeOptions(stored, { attempts: null, inverted: null }), null)
  assert.equal(mergeOptions(stored, null), null)
  assert.equal(mergeOptions(null, {}), null)
  assert.equal(mergeOptions(null, { attempts: null }), null)
})
