import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import type { Capacity } from './text/group.ts'
import { fitSegments, hasRoomFor } from './text/gsm.ts'
import type { Message } from './text/message.ts'
import { allLines, compose, lineOf, plainLine } from './text/message.ts'

/** Each one is paid for. */
const MAX_SEGMENTS = { gsm: 3, ucs2: 5 }
/** The lines that a text message has, by their rank. */
const LABELS = ['Cause', 'Warning', 'Was', 'Was down for', 'Lasted', 'Acknowledged', 'Down since', 'Team']
const MESSAGING_SERVICE = /^MG/

/** Sends a text message through the REST API of Twilio at `apiUrl`. */
export function smsChannel(
  sender: JsonSender,
  apiUrl: string,
  siteUrl: string,
): Channel<ContactConfigs['sms']> {
  return (sending) => {
    const { alert, config, signal } = sending
    const { account_sid, auth_token, from, to } = config
    const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64')
    const form = new URLSearchParams({
      To: to,
      [MESSAGING_SERVICE.test(from) ? 'MessagingServiceSid' : 'From']: from,
      Body: smsText(compose(alert, siteUrl, sending)),
    })
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${credentials}`,
    }
    const url = `${apiUrl}/2010-04-01/Accounts/${account_sid}/Messages.json`
    const secrets = [credentials, auth_token, account_sid]
    return postJson(
      sender,
      { kind: 'vendor API', url, body: form.toString(), headers, secrets, read: readTwilio },
      signal,
    )
  }
}

/** The headline, why, since when or how long, and what to press. The links stay whole: the rest gives way to them. */
export function smsText(message: Message): string {
  const { said, links } = partsOf(message)
  return fitSegments(said, links, MAX_SEGMENTS)
}

/** Each message costs: a group has one. */
export const smsCapacity: Capacity = {
  messages: 1,
  holds: (message) => {
    const { said, links } = partsOf(message)
    return hasRoomFor(said, links, MAX_SEGMENTS)
  },
}

function partsOf(message: Message): { said: string; links: string } {
  const { acknowledgeUrl, link, names, t } = message
  const links = acknowledgeUrl ? `${t('Acknowledge')}: ${acknowledgeUrl}` : link
  const ranked = LABELS.flatMap((label): [string, string][] => {
    const value = lineOf(message, label)
    return value === undefined ? [] : [[t(label), value]]
  })
  const told = (names ? allLines({ ...message, lines: [] }) : ranked).map(plainLine)
  return { said: [message.title, message.text, ...told].filter(Boolean).join('\n'), links: `\n${links}` }
}

/** An accepted message is repeated in full, with the number and the text. */
function readTwilio(body: unknown): ResponseDetails {
  const [code, message] = [memberOf(body, 'code'), memberOf(body, 'message')]
  if (typeof message === 'string') return { ...NO_DETAILS, detail: `${message} (${code})` }
  const [sid, status] = [memberOf(body, 'sid'), memberOf(body, 'status')]
  return typeof sid === 'string' ? { ...NO_DETAILS, detail: `${status} as ${sid}` } : NO_DETAILS
}
