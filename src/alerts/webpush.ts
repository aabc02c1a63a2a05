import { createHash } from 'node:crypto'
import type { Alert } from '../core/alerting/alert.ts'
import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { PushKeys } from '../core/alerting/push-keys.ts'
import type { Channel } from './channel.ts'
import { type JsonSender, postJson } from './json-post.ts'
import { encryptPush, MAX_PUSH_BYTES } from './push-encryption.ts'
import type { Capacity } from './text/group.ts'
import { fitPlain, UNLIMITED } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import {
  allLines,
  compose,
  type IncidentFacts,
  lineOf,
  type Message,
  pathOf,
  plainLine,
} from './text/message.ts'
import { vapidAuthorization } from './vapid.ts'

/** In UTF-16 units, of at most three bytes each: with its links a notification stays below `MAX_PUSH_BYTES`. */
const MAX_TITLE_LENGTH = 200
const MAX_TEXT_LENGTH = 700
const MAX_LINK_LENGTH = 500
/** How long a push service keeps an alert for a browser that is not there; a later one of the incident replaces it. */
const KEPT_SECONDS = 24 * 3_600
const TEST_KEPT_SECONDS = 300
/** The bound of the header Topic (RFC 8030, section 5.4). */
const MAX_TOPIC_LENGTH = 32

/** The public address of the service, and the keys by which push services know it. */
export type PushSender = JsonSender & { siteUrl: string; pushKeys: () => Promise<PushKeys> }

/** The message for the service worker of the dashboard, which shows it (dashboard/public/service-worker.js). */
export type PushMessage = {
  title: string
  text: string
  /** Shown in the zone of the reader. */
  at: { label: string; time: string }
  /** A later notification with the same tag takes the place of this one. */
  tag: string
  /** Opened by a click. */
  path: string
  isUrgent: boolean
  /** Opened by buttons of their own. */
  acknowledge?: string
  runbook?: string
}

/** Sends an encrypted message to a browser through its maker's push service (RFC 8030). */
export function webpushChannel(sender: PushSender): Channel<ContactConfigs['webpush']> {
  return async (sending) => {
    const { alert, group, messageId, config, sentAt, signal } = sending
    const message = group ? groupPush(group, messageId) : pushMessage(alert, sending)
    const subject = sender.siteUrl.startsWith('https:') ? sender.siteUrl : null
    const authorization = vapidAuthorization(config.endpoint, await sender.pushKeys(), subject, sentAt)
    let body: Buffer
    try {
      body = encryptPush(JSON.stringify(message), config)
    } catch {
      return { kind: 'rejected', statusCode: null, detail: 'the keys of this browser are not valid' }
    }
    const headers = {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(alert.event === 'test' ? TEST_KEPT_SECONDS : KEPT_SECONDS),
      urgency: message.isUrgent ? 'high' : 'normal',
      topic: createHash('sha256').update(message.tag).digest('base64url').slice(0, MAX_TOPIC_LENGTH),
      authorization,
    }
    const secrets = [authorization, ...secretPath(config.endpoint)]
    const outcome = await postJson(
      sender,
      { kind: 'push service', url: config.endpoint, headers, body, secrets },
      signal,
    )
    // The browser has ended the subscription, or it has expired (RFC 8030, section 7.3).
    const isGone = outcome.kind === 'rejected' && (outcome.statusCode === 404 || outcome.statusCode === 410)
    return isGone ? { ...outcome, refusesReceiver: true } : outcome
  }
}

export function pushMessage(alert: Alert, facts: Omit<IncidentFacts, 'group'>): PushMessage {
  const { incidentId } = facts
  const message = compose(alert, '', facts)
  const { title, text, tone } = message
  const told = alert.event === 'test' ? text : withText(message)
  return {
    title: fitPlain(title, MAX_TITLE_LENGTH),
    text: fitPlain(told ?? '', MAX_TEXT_LENGTH),
    at: { label: labelOfTime(message), time: alert.occurredAt },
    tag: tagOf(alert, incidentId),
    path: pathOf(alert, incidentId) || '/',
    isUrgent: tone === 'bad' || alert.event === 'test',
    ...buttonsOf(message),
  }
}

/** The push about a group: nothing later takes its place. `at` is when the first of it happened. */
function groupPush(message: Message, messageId: string, limit = UNLIMITED): PushMessage {
  const { title, lines, link, tone, since = '' } = message
  return {
    title: fitPlain(title, MAX_TITLE_LENGTH),
    text: fitPlain(
      allLines({ ...message, lines: [] })
        .map(plainLine)
        .join('\n'),
      limit,
    ),
    at: { label: lines[0]?.[0] ?? message.t('Sent at'), time: since },
    tag: `group-${messageId}`,
    path: URL.parse(link)?.pathname ?? '/',
    isUrgent: tone === 'bad',
    ...buttonsOf(message),
  }
}

/** A notification is read at a glance: a group has one, and a click opens the list. */
export const webpushCapacity: Capacity = {
  messages: 1,
  holds: (message) => Buffer.byteLength(JSON.stringify(groupPush(message, MESSAGE_ID))) <= MAX_PUSH_BYTES,
}

/** As long as any. */
const MESSAGE_ID = '00000000-0000-0000-0000-000000000000'

function buttonsOf({ acknowledgeUrl, runbook }: Message): Pick<PushMessage, 'acknowledge' | 'runbook'> {
  return {
    ...(acknowledgeUrl !== undefined &&
      acknowledgeUrl.length <= MAX_LINK_LENGTH && { acknowledge: acknowledgeUrl }),
    ...(runbook !== undefined && runbook.length <= MAX_LINK_LENGTH && { runbook }),
  }
}

/** A notification is read at a glance: why, how long, and the team, without the labels of what explains itself. */
function textOf(message: Message): string {
  const saidIn = (label: string) => lineOf(message, label)
  const labeled = (label: string, value = saidIn(label)) => value && `${message.t(label)}: ${value}`
  const told = [
    saidIn('Cause') ?? saidIn('Warning') ?? saidIn('Was'),
    labeled('Lasted', saidIn('Was down for') ?? saidIn('Lasted')),
    labeled('Still'),
    labeled('Acknowledged'),
    saidIn('Team'),
  ]
  return told.filter(Boolean).join('\n')
}

function withText(message: Message): string {
  return [message.text, textOf(message)].filter(Boolean).join('\n')
}

const TIMES = ['Down since', 'Recovered at', 'Noticed at', 'Sent at']

function labelOfTime(message: Message): string {
  return message.t(TIMES.find((label) => lineOf(message, label) !== undefined) ?? 'Sent at')
}

function tagOf({ event, type, id }: Alert, incidentId: number | null): string {
  if (incidentId !== null) return `${type}-incident-${incidentId}`
  return id === null ? event : `${event}-${id}`
}
