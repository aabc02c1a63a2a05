import {
  type ContactConfigs,
  type ContactType,
  isForPrograms,
  visibilityOf,
} from '../core/alerting/contact-types.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import { ATTEMPT_TIMEOUT_MS } from '../core/alerting/delivery.ts'
import type { PushKeys } from '../core/alerting/push-keys.ts'
import { shownTexts } from '../core/language/hidden-characters.ts'
import type { Network } from '../net/network.ts'
import type { Channel, Sending } from './channel.ts'
import { discordCapacity, discordChannel } from './discord.ts'
import { emailChannel } from './email.ts'
import { googlechatCapacity, googlechatChannel } from './googlechat.ts'
import { gotifyCapacity, gotifyChannel } from './gotify.ts'
import { mailCapacity } from './mail/mail.ts'
import type { MailSettings } from './mail/smtp-options.ts'
import { matrixCapacity, matrixChannel } from './matrix.ts'
import { mattermostCapacity, mattermostChannel } from './mattermost.ts'
import { ntfyCapacity, ntfyChannel } from './ntfy.ts'
import { type PagerDutyUrls, pagerdutyChannel } from './pagerduty.ts'
import { pushoverCapacity, pushoverChannel } from './pushover.ts'
import { slackCapacity, slackChannel } from './slack.ts'
import { smsCapacity, smsChannel } from './sms.ts'
import { teamsCapacity, teamsChannel } from './teams.ts'
import { telegramCapacity, telegramChannel } from './telegram.ts'
import type { Capacity } from './text/group.ts'
import { logText, secretPath } from './text/log-text.ts'
import { webhookChannel } from './webhook.ts'
import { webpushCapacity, webpushChannel } from './webpush.ts'

export type Channels = { [Type in ContactType]: Channel<ContactConfigs[Type]> }

/** Bases of the APIs that have one address for everybody, such as `https://api.telegram.org`. */
export type ApiUrls = {
  telegramApi: string
  pagerDutyEvents: PagerDutyUrls
  pushoverApi: string
  twilioApi: string
}

export type ChannelDependencies = {
  network: Network
  /** Null while the operator has not set up mail. */
  mail: MailSettings | null
  apiUrls: ApiUrls
  /** The service's public address, for links in alerts. */
  siteUrl: string
  /** The keys by which push services of browsers know the service. */
  pushKeys: () => Promise<PushKeys>
  now: () => Date
  /** The time limit of one attempt, DNS lookup included. */
  attemptTimeoutMs?: number
}

/** The channel of each contact type. */
export function createChannels(dependencies: ChannelDependencies): Channels {
  const {
    network,
    mail,
    apiUrls,
    siteUrl,
    pushKeys,
    now,
    attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
  } = dependencies
  const sender = { network, now, attemptTimeoutMs }
  return {
    email: emailChannel(network, mail, siteUrl, attemptTimeoutMs),
    slack: slackChannel(sender, siteUrl),
    discord: discordChannel(sender, siteUrl),
    webhook: webhookChannel(sender),
    telegram: telegramChannel(sender, apiUrls.telegramApi, siteUrl),
    ntfy: ntfyChannel(sender, siteUrl),
    teams: teamsChannel(sender, siteUrl),
    pagerduty: pagerdutyChannel(sender, apiUrls.pagerDutyEvents, siteUrl),
    pushover: pushoverChannel(sender, apiUrls.pushoverApi, siteUrl),
    gotify: gotifyChannel(sender, siteUrl),
    matrix: matrixChannel(sender, siteUrl),
    googlechat: googlechatChannel(sender, siteUrl),
    mattermost: mattermostChannel(sender, siteUrl),
    sms: smsChannel(sender, apiUrls.twilioApi, siteUrl),
    webpush: webpushChannel({ ...sender, siteUrl, pushKeys }),
  } satisfies Channels
}

/** How much of a group each type takes; null where each alert goes alone. */
export const CAPACITIES = {
  email: mailCapacity,
  slack: slackCapacity,
  discord: discordCapacity,
  telegram: telegramCapacity,
  webhook: null,
  webpush: webpushCapacity,
  ntfy: ntfyCapacity,
  pagerduty: null,
  pushover: pushoverCapacity,
  gotify: gotifyCapacity,
  sms: smsCapacity,
  teams: teamsCapacity,
  matrix: matrixCapacity,
  googlechat: googlechatCapacity,
  mattermost: mattermostCapacity,
} as const satisfies Record<ContactType, Capacity | null>

/**
 * Sends one alert to one contact, once. Never throws: an unforeseen error is an outcome to retry. The outcome holds no
 * secret of the config, even if a receiver quotes one and the channel did not expect that.
 */
export async function send<Type extends ContactType>(
  channels: Channels,
  type: Type,
  sending: Sending<ContactConfigs[Type]>,
): Promise<DeliveryOutcome> {
  try {
    const { acknowledgeUrl } = sending
    const secrets = [
      ...secretsOf(type, sending.config),
      ...(acknowledgeUrl ? secretPath(acknowledgeUrl) : []),
    ]
    const outcome = await channels[type]({
      ...sending,
      alert: shownTexts(sending.alert),
      // Programs get the same times as ever, whatever people choose.
      timeZone: isForPrograms(type) ? null : sending.timeZone,
    })
    return { ...outcome, detail: logText(outcome.detail, secrets) }
  } catch (error) {
    // Only the name of the error, because its message may contain an address or a token.
    const kind = error instanceof Error ? error.name : typeof error
    return { kind: 'retry', statusCode: null, detail: `internal error (${kind})`, retryAfterSeconds: null }
  }
}

/** The secret parts of a config's values. */
function secretsOf(type: ContactType, config: Record<string, string>): string[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const visibility = visibilityOf(type, key)
    if (visibility === 'whole') return []
    return visibility === 'host' ? secretPath(value) : [value]
  })
}
