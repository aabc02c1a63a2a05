import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPACITIES, send } from '../../src/alerts/channels.ts'
import type { ContactType } from '../../src/core/alerting/contact-types.ts'
import { keysOf } from '../../src/core/shape.ts'
import { arriving } from '../support/alerting/arriving.ts'
import { DOWN, RECOVERY } from '../support/servers/receivers-alert.ts'

const DIAGNOSIS = 'connected, but no answer; all 2 regions see it'
/** Webhooks have what their specification says. A text message is paid for by its length, and a notification has room for the cause. */
const WITHOUT: readonly ContactType[] = ['sms', 'webhook', 'webpush']

for (const type of keysOf(CAPACITIES)) {
  test(`an alert by ${type} has the first line of a diagnosis that is there, and a recovery has not`, async (t) => {
    const seen = (alert: typeof DOWN, diagnosis?: string) =>
      arriving(t, type, (channels, sending) =>
        send(channels, type, { ...sending, alert, ...(diagnosis !== undefined && { diagnosis }) }),
      )
    const [told, without] = [await seen(DOWN, DIAGNOSIS), await seen(DOWN)]
    if (WITHOUT.includes(type)) assert.equal(told, without)
    else assert.match(told, /"?Diagnosis"?: ?"?connected, but no answer; all 2 regions see it/)
    assert.ok(!without.includes('Diagnosis'), without)
    assert.equal(await seen(RECOVERY, DIAGNOSIS), await seen(RECOVERY))
  })
}
