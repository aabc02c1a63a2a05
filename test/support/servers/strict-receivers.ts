import { type Answer, likeDiscord, likeSlack, likeTelegram } from './receivers.ts'
import { likeGoogleChat, likeMatrix, likeMattermost, likeTeams } from './receivers-chats.ts'
import { likeGotify, likeNtfy, likePagerDuty, likePushover, likeTwilio } from './receivers-push.ts'

export const BOT_TOKEN = '123456789:AAE-x_y'
export const CHAT_ID = '-1001234567890'
const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'
const GOTIFY_TOKEN = 'AWoOoMvGWlDY7kk'
const MATRIX_TOKEN = 'syt_dXBiZWF0_example'
const ROOM = '!opaque:example.org'
const ROUTING_KEY = 'R0123456789abcdefghijklmnopqrstu'
const PUSHOVER = { app_token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user_key: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' }
const TWILIO = {
  account_sid: `AC${'0123456789abcdef'.repeat(2)}`,
  auth_token: 'fedcba9876543210'.repeat(2),
  from: '+15017122661',
  to: '+15558675310',
}

/** A receiver that speaks a type's protocol and refuses what its vendor refuses, and the config of a contact there. */
type Strict = {
  answer: Answer
  config: (url: string) => Record<string, string>
  /** The beginning of the paths of its requests. */
  path: string
}

/** The types whose receiver has an address of its own. */
export const STRICT = {
  slack: {
    answer: likeSlack,
    config: (url) => ({ webhook_url: `${url}/services/T00/B00/x` }),
    path: '/services/T00',
  },
  discord: {
    answer: likeDiscord,
    config: (url) => ({ webhook_url: `${url}/api/webhooks/1/x` }),
    path: '/api/webhooks/1',
  },
  ntfy: {
    answer: likeNtfy('down-4f7a', NTFY_TOKEN),
    config: (url) => ({ topic_url: `${url}/down-4f7a`, token: NTFY_TOKEN }),
    path: '/',
  },
  gotify: {
    answer: likeGotify(GOTIFY_TOKEN),
    config: (url) => ({ server_url: url, app_token: GOTIFY_TOKEN }),
    path: '/message',
  },
  teams: {
    answer: likeTeams,
    config: (url) => ({ webhook_url: `${url}/workflows/1/triggers/manual/paths/invoke?sig=x` }),
    path: '/workflows/1',
  },
  matrix: {
    answer: likeMatrix(MATRIX_TOKEN, ROOM),
    config: (url) => ({ homeserver_url: url, access_token: MATRIX_TOKEN, room_id: ROOM }),
    path: '/_matrix/',
  },
  googlechat: {
    answer: likeGoogleChat('key1', 'token1'),
    config: (url) => ({ webhook_url: `${url}/v1/spaces/A/messages?key=key1&token=token1` }),
    path: '/v1/spaces/A',
  },
  mattermost: {
    answer: likeMattermost('/hooks/x'),
    config: (url) => ({ webhook_url: `${url}/hooks/x` }),
    path: '/hooks/x',
  },
} satisfies Record<string, Strict>

/** The types whose vendor has one address for everybody. */
export const STRICT_VENDORS = {
  telegram: {
    answer: likeTelegram(BOT_TOKEN, CHAT_ID),
    config: () => ({ bot_token: BOT_TOKEN, chat_id: CHAT_ID }),
    path: `/bot${BOT_TOKEN}`,
  },
  pagerduty: {
    answer: likePagerDuty(ROUTING_KEY),
    config: () => ({ routing_key: ROUTING_KEY, region: 'eu' }),
    path: '/v2/',
  },
  pushover: {
    answer: likePushover(PUSHOVER.app_token, PUSHOVER.user_key),
    config: () => PUSHOVER,
    path: '/1/',
  },
  sms: {
    answer: likeTwilio(TWILIO),
    config: () => TWILIO,
    path: '/2010-04-01/',
  },
} satisfies Record<string, Strict>

/** One receiver that is all vendors, by the path. */
export const likeVendors: Answer = (response, received) => {
  const vendor = Object.values(STRICT_VENDORS).find(({ path }) => received.path.startsWith(path))
  return vendor ? vendor.answer(response, received) : response.writeHead(404).end('no such vendor')
}

/** The settings that lead to them. */
export function vendorSettings(url: string): Record<string, string> {
  return {
    TELEGRAM_API_URL: url,
    PAGERDUTY_API_URL: url,
    PUSHOVER_API_URL: url,
    TWILIO_API_URL: url,
  }
}
