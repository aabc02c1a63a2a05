import { type Answer, likeDiscord, likeSlack, likeTelegram } from './receivers.ts'
import { likeNtfy } from './receivers-push.ts'

export const BOT_TOKEN = '123456789:AAE-x_y'
export const CHAT_ID = '-1001234567890'
const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

/** A receiver that speaks a type's protocol and refuses what its vendor refuses, and the config of a contact there. */
type Strict = {
  answer: Answer
  config: (url: string) => Record<string, string>
  /** What the paths of its requests begin with. */
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
} satisfies Record<string, Strict>

/** The types whose vendor has one address for everybody. */
export const STRICT_VENDORS = {
  telegram: {
    answer: likeTelegram(BOT_TOKEN, CHAT_ID),
    config: () => ({ bot_token: BOT_TOKEN, chat_id: CHAT_ID }),
    path: `/bot${BOT_TOKEN}`,
  },
} satisfies Record<string, Strict>

/** One receiver that is all vendors, by the path. */
export const likeVendors: Answer = (response, received) => {
  const vendor = Object.values(STRICT_VENDORS).find(({ path }) => received.path.startsWith(path))
  return vendor ? vendor.answer(response, received) : response.writeHead(404).end('no such vendor')
}

/** The settings that lead to them. */
export function vendorSettings(url: string): Record<string, string> {
  return { TELEGRAM_API_URL: url }
}
