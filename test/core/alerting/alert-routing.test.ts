import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AlertEvent } from '../../../src/core/alerting/alert.ts'
import { addressees } from '../../../src/core/alerting/alert-routing.ts'

const contact = (contactId: number, attached: boolean, notifyOnDown = true, notifyOnRecovery = true) => ({
  contactId,
  attached,
  notifyOnDown,
  notifyOnRecovery,
})

const told = (contacts: ReturnType<typeof contact>[], event: AlertEvent) =>
  addressees(contacts, event).map(({ contactId }) => contactId)

describe('the recipients of an alert', () => {
  test('only the attached contacts', () => {
    assert.deepEqual(told([contact(1, false), contact(2, true), contact(3, true)], 'monitor.down'), [2, 3])
  })

  test('every contact of the team when none is attached', () => {
    assert.deepEqual(told([contact(1, false), contact(2, false)], 'monitor.recovery'), [1, 2])
  })

  test('none when the attached ones do not want it: the others get no alert', () => {
    assert.deepEqual(told([contact(1, false), contact(2, true, false)], 'monitor.down'), [])
  })

  const wants: [event: AlertEvent, told: number[]][] = [
    ['monitor.down', [1, 2]],
    ['monitor.degraded', [1, 2]],
    ['monitor.recovery', [1, 3]],
    ['server.down', [1, 2]],
    ['server.degraded', [1, 2]],
    ['server.recovery', [1, 3]],
    ['site.down', [1, 2]],
    ['site.degraded', [1, 2]],
    ['site.recovery', [1, 3]],
  ]
  for (const [event, expected] of wants) {
    test(`${event} goes to those who want it`, () => {
      const contacts = [contact(1, true), contact(2, true, true, false), contact(3, true, false, true)]
      assert.deepEqual(told(contacts, event), expected)
    })
  }
})
