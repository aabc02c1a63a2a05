import type { Sending } from '../../../src/alerts/channel.ts'
import type { ApiUrls, ChannelDependencies } from '../../../src/alerts/channels.ts'
import { createChannels, send } from '../../../src/alerts/channels.ts'
import type { ContactConfigs, ContactType } from '../../../src/core/alerting/contact.ts'
import { createNetwork } from '../../../src/net/network.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { atPublicAddress, reachPublicHere } from '../net/public-here.ts'
import { makePushKeys, makeSubscription } from './push-service.ts'
import type { Receiver } from './receivers.ts'
import { SENT_AT, SITE_URL, sendingTo } from './receivers-alert.ts'
import { CALM_LOOP } from './targets-settings.ts'

reachPublicHere()

export const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw7'
/** A name that tries every service's markup. */
export const NASTY = '<!channel> *b* _i_ `c` [x](https://evil.example) <b>&amp;</b> @everyone "\\" 日本👩‍🚀'

export const PUSH_KEYS = makePushKeys()
export const BROWSER = makeSubscription()

const network = { ...createNetwork({ privateTargets: 'allow' }), loop: CALM_LOOP }

/** All vendors' APIs, at one receiver. */
export function apiUrlsAt(url: string): ApiUrls {
  return {
    telegramApi: url,
    pagerDutyEvents: { us: `${url}/us`, eu: `${url}/eu` },
    pushoverApi: url,
    twilioApi: url,
  }
}

export function channelsFor(changes: Partial<ChannelDependencies> = {}) {
  return createChannels({
    network,
    mail: null,
    apiUrls: apiUrlsAt('http://127.0.0.1:1'),
    siteUrl: SITE_URL,
    pushKeys: async () => PUSH_KEYS,
    now: () => SENT_AT,
    attemptTimeoutMs: HANG_GUARD_MS,
    ...changes,
  })
}

export const ROOM = '!opaque:example.org'
export const SMS_ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`

/** How each type that speaks HTTP is pointed at a receiver. */
export const configs = {
  webhook: ({ url }) => ({ url: `${url}/hook/sEcReT0123456789?key=%2FsEcReT+key` }),
  slack: ({ url }) => ({ webhook_url: `${url}/services/T00/B00/sEcReT` }),
  discord: ({ url }) => ({ webhook_url: `${url}/api/webhooks/1/sEcReT` }),
  telegram: () => ({ bot_token: TOKEN, chat_id: '-1001234' }),
  ntfy: ({ url }) => ({ topic_url: `${url}/sEcReT0123456789`, token: 'tk_sEcReT0123456789' }),
  gotify: ({ url }) => ({ server_url: `${url}/gotify/`, app_token: 'A-sEcReT.0123' }),
  teams: ({ url }) => ({
    webhook_url: `${url}/workflows/sEcReT0123456789/triggers/manual/paths/invoke?sig=sEcReT01`,
  }),
  matrix: ({ url }) => ({ homeserver_url: `${url}/`, access_token: 'syt_sEcReT0123456789', room_id: ROOM }),
  googlechat: ({ url }) => ({
    webhook_url: `${url}/v1/spaces/A/messages?key=sEcReT01&token=sEcReT0123456789`,
  }),
  mattermost: ({ url }) => ({ webhook_url: `${url}/hooks/sEcReT0123456789` }),
  pagerduty: () => ({ routing_key: 'sEcReTsEcReTsEcReTsEcReT01234567', region: 'us' as const }),
  pushover: () => ({
    app_token: 'sEcReTsEcReTsEcReT0123456789ab',
    user_key: 'sEcReTsEcReTsEcReTba9876543210',
  }),
  sms: () => ({
    account_sid: SMS_ACCOUNT,
    auth_token: 'sEcReTsEcReTsEcReTsEcReT01234567',
    from: '+15017122661',
    to: '+15558675310',
  }),
  webpush: ({ url }) => ({ endpoint: atPublicAddress(`${url}/push/sEcReT0123456789`), ...BROWSER.keys }),
} satisfies {
  [Type in Exclude<ContactType, 'email'>]: (receiver: Receiver) => ContactConfigs[Type]
}
export const httpTypes = Object.keys(configs) as (keyof typeof configs)[]

export function sendOver(
  type: keyof typeof configs,
  receiver: Receiver,
  dependencies: Partial<ChannelDependencies> = {},
  sending: Partial<Sending<unknown>> = {},
  config: object = configs[type](receiver),
) {
  const channels = channelsFor({ apiUrls: apiUrlsAt(receiver.url), ...dependencies })
  return send(channels, type, { ...sendingTo(config), ...sending, config: config as never })
}
