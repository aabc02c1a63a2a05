import type { Channel } from './channel.ts'
import { type JsonSender, postJson, termsOf } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { secretPath } from './text/log-text.ts'
import { compose, type Message } from './text/message.ts'

type IncomingWebhook<Config> = {
  payloadOf: (message: Message, config: Config) => unknown
  /** Reads what an answer says; without it, its status alone counts. */
  read?: (body: unknown) => ResponseDetails
}

/** A channel that posts one JSON document to an incoming webhook, whose address is a secret. */
export function incomingWebhook<Config extends { webhook_url: string; verify_tls?: 'no' }>(
  sender: JsonSender,
  siteUrl: string,
  { payloadOf, read }: IncomingWebhook<Config>,
): Channel<Config> {
  return (sending) => {
    const { alert, config, signal } = sending
    const body = JSON.stringify(payloadOf(compose(alert, siteUrl, sending), config))
    const secrets = secretPath(config.webhook_url)
    const post = { kind: 'contact' as const, url: config.webhook_url, body, secrets, terms: termsOf(config) }
    return postJson(sender, read ? { ...post, read } : post, signal)
  }
}
