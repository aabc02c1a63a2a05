import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sending } from '../../src/alerts/channel.ts'
import { CAPACITIES } from '../../src/alerts/channels.ts'
import { type AlertGroup, sendGroup } from '../../src/alerts/send-group.ts'
import { MAX_GROUP_MESSAGES } from '../../src/alerts/text/group.ts'
import type { Alert } from '../../src/core/alerting/alert.ts'
import type { ContactType } from '../../src/core/alerting/contact-types.ts'
import type { DeliveryOutcome } from '../../src/core/alerting/delivery.ts'
import { keysOf } from '../../src/core/shape.ts'
import { seenIn } from '../support/alerting/received-text.ts'
import { atPublicAddress } from '../support/net/public-here.ts'
import { likePushService } from '../support/servers/push-service.ts'
import { type Answer, type Receiver, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, RECOVERY, SENT_AT, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import { apiUrlsAt, BROWSER, channelsFor, PUSH_KEYS } from '../support/servers/receivers-channels.ts'
import { startSmtpReceiver } from '../support/servers/smtp-receiver.ts'
import { STRICT, STRICT_VENDORS } from '../support/servers/strict-receivers.ts'

const GROUPED = keysOf(CAPACITIES).filter((type) => CAPACITIES[type] !== null)
const ACKNOWLEDGE = `${SITE_URL}/ack/g1234567-12345-0123456789abcdef0123456789abcdef`
const LIST = '/teams/7/incidents'

type Scope = { after: (close: () => Promise<void>) => void }
type Told = { outcome: DeliveryOutcome; texts: string[]; noted: number[][] }

/** A place that takes what a type sends as strictly as its vendor, and what a reader sees there. */
async function startStrict(t: Scope, type: ContactType) {
  if (type === 'email') {
    const smtp = await startSmtpReceiver(t)
    return {
      config: { email: 'owner@example.com' },
      changes: {
        mail: {
          smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
          from: 'upbeat@example.com',
          name: 'upbeat.example',
        },
      },
      texts: () =>
        smtp.mails.map(({ text }) => text.replaceAll('\r\n', '\n').split('\n\n').slice(1).join('\n\n')),
    }
  }
  const strict = { ...STRICT, ...STRICT_VENDORS }[type as keyof typeof STRICT]
  const answer: Answer = strict?.answer ?? ((response, received) => pushService(response, received))
  const receiver: Receiver = await startReceiver(t, answer)
  const pushService = likePushService({
    publicKey: async () => PUSH_KEYS.publicKey,
    origin: () => atPublicAddress(receiver.url),
    now: () => SENT_AT,
  })
  return {
    config: strict?.config(receiver.url) ?? {
      endpoint: atPublicAddress(`${receiver.url}/push/x`),
      ...BROWSER.keys,
    },
    changes: {
      apiUrls: { ...apiUrlsAt(receiver.url), pagerDutyEvents: { us: receiver.url, eu: receiver.url } },
    },
    texts: () =>
      receiver.requests.filter(({ path }) => !path.includes('cancel_by_tag')).map((one) => seenIn(type, one)),
  }
}

async function tell(
  t: Scope,
  type: ContactType,
  alerts: Alert[],
  group: Partial<AlertGroup> = {},
): Promise<Told> {
  const { config, changes, texts } = await startStrict(t, type)
  const noted: number[][] = []
  const outcome = await sendGroup(
    channelsFor(changes),
    type,
    sendingTo(config, { groupId: 'msg_2f1c' }) as Sending<never>,
    {
      alerts,
      told: [],
      siteUrl: SITE_URL,
      acknowledgeUrl: ACKNOWLEDGE,
      accepted: 0,
      note: async ({ told }) => {
        noted.push(told)
        return true
      },
      ...group,
    },
  )
  return { outcome, texts: texts(), noted }
}

/** `count` alerts whose names are `length` characters long, and differ. */
function alertsOf(count: number, length: number, filling = 'n', one: Alert = DOWN): Alert[] {
  return Array.from({ length: count }, (_, index) => {
    const end = String(index).padStart(4, '0')
    const name = `${filling.repeat(length).slice(0, length - end.length)}${end}`
    return { ...one, id: index + 1, teamId: 7, name }
  })
}

/** Every name is in one of the texts, or in the number at the end of them. */
function assertAllAreTold(texts: string[], alerts: Alert[], outcome: DeliveryOutcome) {
  assert.equal(outcome.kind, 'sent', outcome.detail)
  const whole = texts.join('\n')
  const named = alerts.filter(({ name }) => whole.includes(name)).length
  const counted = [...whole.matchAll(/^and (\d+) more$/gm)].map(([, left]) => Number(left))
  assert.ok(counted.length <= 1)
  // A text message may have no room for one long name: its headline says of how many it is.
  if (named === 0) assert.equal(counted.length, 0)
  else assert.equal(named + (counted[0] ?? 0), alerts.length)
  return named
}

for (const type of GROUPED) {
  const most = CAPACITIES[type]?.messages ?? 0
  describe(`a group to ${type}`, () => {
    for (const count of [1, 3, 90, 300]) {
      for (const length of [5, 53, 255]) {
        test(`of ${count} names of ${length} characters`, async (t) => {
          // Recoveries of many differ from outages of many as those of a few do.
          for (const one of count < 90 ? [DOWN, RECOVERY] : [DOWN]) {
            const alerts = alertsOf(count, length, 'n', one)
            const { outcome, texts, noted } = await tell(t, type, alerts)
            assert.ok(texts.length >= 1 && texts.length <= most && most <= MAX_GROUP_MESSAGES)
            const named = assertAllAreTold(texts, alerts, outcome)
            if (count <= 3 && (type !== 'sms' || length < 255)) assert.equal(named, count)
            for (const text of texts) {
              assert.ok(text.includes(ACKNOWLEDGE) && (type === 'sms' || text.includes(LIST)), text)
            }
            // The messages before the last one said what they told; the last one tells the rest.
            assert.equal(noted.length, texts.length - 1)
            assert.equal(new Set(noted.flat()).size, noted.flat().length)
          }
        })
      }
    }

    test('of names that are markup', async (t) => {
      const alerts = alertsOf(90, 53, '<!channel> *b* @all `c` <b>&amp;</b> [x](https://e.vil) ')
      const { outcome, texts } = await tell(t, type, alerts)
      if (type !== 'sms')
        assertAllAreTold(
          texts.map((text) => text.replaceAll('\u2060', '')),
          alerts,
          outcome,
        )
      assert.equal(outcome.kind, 'sent', outcome.detail)
    })

    test('of names of three bytes a character', async (t) => {
      const alerts = alertsOf(300, 53, '日本')
      const { outcome, texts } = await tell(t, type, alerts)
      assertAllAreTold(texts, alerts, outcome)
    })
  })
}

test('only programs get each alert alone', () => {
  assert.deepEqual(
    keysOf(CAPACITIES).filter((type) => CAPACITIES[type] === null),
    ['webhook', 'pagerduty'],
  )
})
