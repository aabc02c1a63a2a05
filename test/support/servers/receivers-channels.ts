import type { Sending } from '../../../src/alerts/channel.ts'
import type { ApiUrls, ChannelDependencies } from '../../../src/alerts/channels.ts'
import { createChannels, send } from '../../../src/alerts/channels.ts'
import type { ContactConfigs, ContactType } from '../../../src/core/alerting/contact.ts'
import { createNetwork } from '../../../src/net/network.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { makePushKeys, makeSubscription } from './push-service.ts'
import type { Receiver } from './receivers.ts'
import { SENT_AT, SITE_URL, sendingTo } from './receivers-alert.ts'
import { CALM_LOOP } from './targets-settings.ts'

export const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw7'
/** A name that tries every service's markup. */
export const NASTY = '<!channel> *b* _i_ `c` [x](https://evil.example) <b>&amp;</b> @everyone "\\" 日本👩‍🚀'

export const PUSH_KEYS = makePushKeys()
export const BROWSER = makeSubscription()

const network = { ...createNetwork({ privateTargets: 'allow' }), loop: CALM_LOOP }

/** All vendors' APIs, at one receiver. */
function apiUrlsAt(url: string): ApiUrls {
  return { telegramApi: url }
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

/** How each type that speaks HTTP is pointed at a receiver. */
export const configs = {
  webhook: ({ url }) => ({ url: `${url}/hook/sEcReT0123456789?key=%2FsEcReT+key` }),
  slack: ({ url }) => ({ webhook_url: `${url}/services/T00/B00/sEcReT` }),
  discord: ({ url }) => ({ webhook_url: `${url}/api/webhooks/1/sEcReT` }),
  telegram: () => ({ bot_token: TOKEN, chat_id: '-1001234' }),
  ntfy: ({ url }) => ({ topic_url: `${url}/sEcReT0123456789`, token: 'tk_sEcReT0123456789' }),
  webpush: ({ url }) => ({ endpoint: `${url}/push/sEcReT0123456789`, ...BROWSER.keys }),
} satisfies {
  [Type in Exclude<ContactType, 'email'>]: (receiver: Receiver) => ContactConfigs[Type]
}
export const httpTypes = Object.keys(configs) as (keyof typeof configs)[]

export function sendOver(
  type: keyof typeof configs,
  receiver: Receiver,
  dependencies: Partial<ChannelDependencies> = {},
  sending: Partial<Sending<unknown>> = {},
) {
  const channels = channelsFor({ apiUrls: apiUrlsAt(receiver.url), ...dependencies })
  return send(channels, type, {
    ...sendingTo(configs[type](receiver)),
    ...sending,
    config: configs[type](receiver),
  })
}
