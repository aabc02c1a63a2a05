import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { smsText } from '../../src/alerts/sms.ts'
import { fitSegments } from '../../src/alerts/text/gsm.ts'
import { compose } from '../../src/alerts/text/message.ts'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, RECOVERY, SITE_URL, TEST } from '../support/servers/receivers-alert.ts'
import { configs, SMS_ACCOUNT, sendOver } from '../support/servers/receivers-channels.ts'
import { likeTwilio } from '../support/servers/receivers-push.ts'

const EXTENDED = '^{}\\[~]|€'
const BASIC = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà-]$/

/** How many segments a text takes, packed one by one: none divides a character. */
function segmentsOf(text: string): number {
  const isGsm = [...text].every((one) => EXTENDED.includes(one) || BASIC.test(one))
  const sizes = [...text].map((one) => (isGsm ? (EXTENDED.includes(one) ? 2 : 1) : one.length))
  const [alone, each] = isGsm ? [160, 153] : [70, 67]
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return 1
  let [segments, left] = [1, each]
  for (const size of sizes) {
    if (size > left) [segments, left] = [segments + 1, each]
    left -= size
  }
  return segments
}

describe('sms', () => {
  const account = configs.sms()

  test('says in two segments what happened, why, since when, and where', async (t) => {
    const receiver = await startReceiver(t, likeTwilio(account))
    assert.deepEqual(await sendOver('sms', receiver), {
      kind: 'sent',
      statusCode: 201,
      detail: 'HTTP 201: queued as SM1234',
    })
    const text =
      'Shop is down\nCause: HTTP 503 (expected 200)\nDown since: 2026-11-21 09:30:00 UTC\nTeam: Acme\n' +
      SITE_URL
    const [request] = receiver.requests
    assert.equal(request?.path, `/2010-04-01/Accounts/${SMS_ACCOUNT}/Messages.json`)
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
      To: '+15558675310',
      From: '+15017122661',
      Body: text,
    })
    assert.equal(segmentsOf(text), 1)
  })

  test('comes from a messaging service where that is given', async (t) => {
    const from = `MG${'0'.repeat(32)}`
    const receiver = await startReceiver(t, likeTwilio({ ...account, from }))
    const outcome = await sendOver('sms', receiver, {}, {}, { ...account, from })
    assert.equal(outcome.kind, 'sent', outcome.detail)
    assert.match(receiver.requests[0]?.body ?? '', /MessagingServiceSid=MG0/)
  })

  test('says how long it lasted, and that a test is one', () => {
    const said = smsText(compose(RECOVERY, SITE_URL))
    assert.match(said, /^Shop has recovered\nCause: .*\nWas down for: 4 minutes 10 seconds\nTeam: /)
    assert.match(smsText(compose(TEST, SITE_URL)), /^Test alert from Upbeat\nThis is a test alert/)
  })

  test('is in the language of the team, whose umlauts the alphabet has', () => {
    const text = smsText(
      compose({ ...DOWN, language: 'de' }, SITE_URL, { incidentId: 7, acknowledgeUrl: `${SITE_URL}/ack/x` }),
    )
    assert.match(
      text,
      /^Shop ist gestört\nUrsache: HTTP 503 \(expected 200\)\nGestört seit: .*\nTeam: Acme\nBestätigen: https/,
    )
    assert.equal(segmentsOf(text), 1)
  })

  const simpler: [text: string, written: string][] = [
    ['Größe à la carte – “ok” …', 'Größe à la carte - "ok" ...'],
    ['Čeština ó', 'Cestina o'],
    ['[a] {b} € ~', '[a] {b} € ~'],
    ['日本', '日本'],
  ]
  for (const [text, written] of simpler) {
    test(`${text} is written ${written}`, () => {
      assert.equal(fitSegments(text, '', { gsm: 3, ucs2: 3 }), written)
    })
  }

  test('is of few segments, and ends with the whole link', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '[', '€', 'ß', 'ó', '日', '👩', ' '),
      maxLength: 600,
    })
    const link = fc.constantFrom(
      `${SITE_URL}/teams/1/incidents/7`,
      `${SITE_URL}/acknowledge/${'a'.repeat(120)}`,
    )
    fc.assert(
      fc.property(text, text, link, (name, cause, acknowledgeUrl) => {
        const sms = smsText(compose({ ...DOWN, name, cause }, SITE_URL, { incidentId: 7, acknowledgeUrl }))
        assert.ok(sms.endsWith(`\nAcknowledge: ${acknowledgeUrl}`))
        const isGsm = [...sms].every((one) => EXTENDED.includes(one) || BASIC.test(one))
        assert.ok(segmentsOf(sms) <= (isGsm ? 3 : 5), sms)
        assert.ok(sms.isWellFormed())
      }),
    )
  })

  const refusals: [status: number, code: number, message: string, kind: string][] = [
    [400, 21211, "Invalid 'To' Phone Number", 'rejected'],
    [400, 21610, 'Attempt to send to unsubscribed recipient', 'rejected'],
    [401, 20003, 'Authenticate', 'rejected'],
    [429, 20429, 'Too Many Requests', 'retry'],
    [500, 20500, 'Internal Server Error', 'retry'],
  ]
  for (const [status, code, message, kind] of refusals) {
    test(`${code} "${message}" is ${kind}`, async (t) => {
      const receiver = await startReceiver(t, (response) =>
        replyJson(response, status, { code, message, status }),
      )
      const outcome = await sendOver('sms', receiver)
      assert.deepEqual([outcome.kind, outcome.detail], [kind, `HTTP ${status}: ${message} (${code})`])
    })
  }

  test('another token is refused', async (t) => {
    const receiver = await startReceiver(t, likeTwilio({ ...account, auth_token: '0'.repeat(32) }))
    assert.equal((await sendOver('sms', receiver)).statusCode, 401)
  })
})
