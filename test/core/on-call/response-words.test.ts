import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryOrigin } from '../../../src/core/alerting/delivery-log.ts'
import { DASHBOARD } from '../../../src/core/language/de/dashboard.ts'
import { createTranslator, ENGLISH } from '../../../src/core/language/translate.ts'
import { sayOrigin } from '../../../src/core/on-call/response-words.ts'

const GERMAN = createTranslator('de', 'de-DE', DASHBOARD)

test('a line of the delivery log says which step it belongs to', () => {
  const policy = 'Checkout on-call'
  const said: [DeliveryOrigin, english: string, german: string][] = [
    [
      { kind: 'step', number: 2, round: 0, policy },
      'Step 2 of Checkout on-call',
      'Stufe 2 von Checkout on-call',
    ],
    [
      { kind: 'step', number: 1, round: 2, policy },
      'Step 1 of Checkout on-call, round 3',
      'Stufe 1 von Checkout on-call, Runde 3',
    ],
    [{ kind: 'step', number: 1, round: 1, policy: null }, 'Step 1, round 2', 'Stufe 1, Runde 2'],
    [
      { kind: 'drill', number: 3, policy },
      'Step 3 of a drill of Checkout on-call',
      'Stufe 3 einer Übung von Checkout on-call',
    ],
    [{ kind: 'reminder' }, 'Reminder', 'Erinnerung'],
    [{ kind: 'acknowledgement' }, 'Acknowledgement', 'Bestätigung'],
  ]
  for (const [origin, english, german] of said) {
    assert.deepEqual([sayOrigin(origin, ENGLISH.t), sayOrigin(origin, GERMAN.t)], [english, german])
  }
})
