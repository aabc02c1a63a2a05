import assert from 'node:assert/strict'
import type { Sending } from '../../../src/alerts/channel.ts'
import type { send } from '../../../src/alerts/channels.ts'
import type { ContactType } from '../../../src/core/alerting/contact-types.ts'
import { replyWith, startReceiver } from '../servers/receivers.ts'
import { sendingTo } from '../servers/receivers-alert.ts'
import { apiUrlsAt, channelsFor, configs } from '../servers/receivers-channels.ts'
import { startSmtpReceiver } from '../servers/smtp-receiver.ts'
import { seenIn } from './received-text.ts'

export type ArrivalScope = { after: (close: () => Promise<void>) => void }

/** Sends to a contact of a type, and returns the texts that arrive, without what makes them bold. */
export async function arriving(
  t: ArrivalScope,
  type: ContactType,
  tell: (channels: ReturnType<typeof channelsFor>, sending: Sending<never>) => ReturnType<typeof send>,
): Promise<string> {
  if (type === 'email') {
    const { port, mails } = await startSmtpReceiver(t)
    const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'upbeat@example.com', name: 'upbeat.example' }
    const sending = sendingTo({ email: 'owner@example.com' }) as Sending<never>
    const outcome = await tell(channelsFor({ mail }), sending)
    assert.equal(outcome.kind, 'sent', outcome.detail)
    return mails.map(({ text, html }) => `${text}${html.replace(/<\/?b>/g, '')}`).join('\n')
  }
  const receiver = await startReceiver(t, replyWith(200, '{}', { 'content-type': 'application/json' }))
  const sending = sendingTo(configs[type](receiver)) as unknown as Sending<never>
  const outcome = await tell(channelsFor({ apiUrls: apiUrlsAt(receiver.url) }), sending)
  assert.equal(outcome.kind, 'sent', outcome.detail)
  const told = receiver.requests.filter(({ path }) => !path.includes('cancel_by_tag'))
  assert.ok(told.length > 0)
  return told.map((one) => seenIn(type, one).replaceAll('*', '')).join('\n')
}
