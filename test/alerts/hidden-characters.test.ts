import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPACITIES, send } from '../../src/alerts/channels.ts'
import { emailChannel } from '../../src/alerts/email.ts'
import { createDigestMail } from '../../src/alerts/mail/digest.ts'
import { createLetterMail } from '../../src/alerts/mail/letter.ts'
import { createNoticeSender } from '../../src/alerts/mail/notice.ts'
import { sendGroup } from '../../src/alerts/send-group.ts'
import type { Alert } from '../../src/core/alerting/alert.ts'
import { createNetwork } from '../../src/net/network.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { messageIn } from '../support/servers/push-service.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { SENT_AT, SERVER_DEGRADED, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import {
  apiUrlsAt,
  BROWSER,
  channelsFor,
  configs,
  httpTypes,
  sendOver,
} from '../support/servers/receivers-channels.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/servers/smtp-receiver.ts'

/** Channels put characters without width behind an `@` themselves; none turns the direction. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/
const turned = (name: string) => `${name}\u202egnp.exe\u2067`

/** From before the rule, or from a machine: every text of it turns its neighbours. */
const OLD: Alert = {
  ...SERVER_DEGRADED,
  name: turned('web-1'),
  target: turned('web-1.example'),
  cause: turned('disk /data is full'),
  teamName: turned('Acme'),
  server: turned('web-1'),
  processes: [turned('java')],
  notes: turned('Call the office'),
  area: turned('Certificate'),
  still: [turned('DNS')],
  acknowledged: { by: turned('Ada'), at: '2026-11-21T09:30:00Z', note: turned('on it') },
}

describe('a name that turns its neighbours is seen as it is, and turns nothing', () => {
  for (const type of httpTypes) {
    test(`in a message of type ${type}, and in one for several alerts`, async (t) => {
      const receiver = await startReceiver(t, replyWith(200, '{}'))
      await sendOver(type, receiver, {}, { alert: OLD })
      if (CAPACITIES[type] !== null) {
        const channels = channelsFor({ apiUrls: apiUrlsAt(receiver.url) })
        const sending = sendingTo(configs[type](receiver))
        const facts = {
          told: [],
          siteUrl: SITE_URL,
          acknowledgeUrl: undefined,
          accepted: 0,
          note: async () => true,
        }
        await sendGroup(channels, type, sending as never, { alerts: [OLD, { ...OLD, id: 43 }], ...facts })
      }
      assert.ok(receiver.requests.length > 0)
      for (const request of receiver.requests) {
        const body = type === 'webpush' ? JSON.stringify(messageIn(request, BROWSER)) : request.body
        const seen = [body, ...Object.values(request.headers)].join('\n')
        assert.doesNotMatch(readable(seen), TURNS)
        assert.match(readable(seen), /web-1�gnp\.exe/)
      }
    })
  }

  const network = createNetwork({ privateTargets: 'allow' })
  const signal = new AbortController().signal
  const mailTo = ({ port }: SmtpReceiver) => ({
    ...{ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'upbeat@example.com', name: 'upbeat.example' },
  })
  const MAILS: [what: string, sendMail: (smtp: SmtpReceiver) => Promise<unknown>][] = [
    [
      'an alert',
      (smtp) => {
        const email = emailChannel(network, mailTo(smtp), SITE_URL, HANG_GUARD_MS)
        return send(
          { ...channelsFor(), email },
          'email',
          sendingTo({ email: 'a@example.com' }, { alert: OLD }),
        )
      },
    ],
    [
      'a digest',
      (smtp) => {
        const digest = { messageId: 'm', address: 'a@example.com', timeZone: null, alerts: [OLD, OLD] }
        return createDigestMail(network, mailTo(smtp), SITE_URL, () => SENT_AT)(digest, signal)
      },
    ],
    [
      'a letter',
      (smtp) => {
        const letter = { to: 'a@example.com', title: turned('web-1'), text: turned('Hello'), link: SITE_URL }
        return createLetterMail(network, mailTo(smtp), SITE_URL, () => SENT_AT)(letter, 'm', signal)
      },
    ],
    [
      'a message to a subscriber',
      (smtp) => {
        const sender = createNoticeSender({
          ...{ network, mail: mailTo(smtp), siteUrl: SITE_URL },
          renderBody: (text) => text,
          now: () => SENT_AT,
        })
        const times = { startedAt: SENT_AT, resolvedAt: null, scheduledFor: null, scheduledUntil: null }
        return sender(
          {
            ...{ type: 'email', address: 'a@example.com', token: 't', language: 'en' },
            page: { id: 1, name: turned('web-1'), url: `${SITE_URL}/status/shop` },
            update: {
              ...{ id: 1, phase: 'investigating', body: turned('We look'), at: SENT_AT },
              components: [{ id: 1, name: turned('Shop'), state: 'major_outage' }],
              post: { id: 1, kind: 'incident', title: turned('Trouble'), ...times },
            },
          },
          'm',
          signal,
        )
      },
    ],
  ]
  for (const [what, sendMail] of MAILS) {
    test(`in the subject, the text and the HTML of ${what}`, async (t) => {
      const smtp = await startSmtpReceiver(t)
      await sendMail(smtp)
      const [mail] = smtp.mails
      assert.ok(mail)
      for (const seen of [mail.text, mail.html, ...mail.headers.values()]) assert.doesNotMatch(seen, TURNS)
      assert.match(`${mail.headers.get('subject')} ${mail.text}`, /web-1�gnp\.exe/)
    })
  }
})

/** Bodies are JSON or a form, and headers may be encoded. */
function readable(seen: string): string {
  const decoded = seen.replaceAll(/=\?utf-8\?b\?([^?]*)\?=/gi, (_, text) =>
    Buffer.from(text, 'base64').toString(),
  )
  return decoded.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  )
}
