import { webhookPayload } from '../core/alerting/alert.ts'
import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson, termsOf } from './json-post.ts'
import { signatureHeaders } from './signature.ts'
import { secretPath } from './text/log-text.ts'

/** Posts the specification's JSON body (section 6), signed according to Standard Webhooks. */
export function webhookChannel(sender: JsonSender): Channel<ContactConfigs['webhook']> {
  return ({ messageId, alert, config, signingSecret, sentAt, signal }) => {
    const body = JSON.stringify(webhookPayload(alert))
    const headers = signatureHeaders(signingSecret, messageId, sentAt, body)
    const secrets = secretPath(config.url)
    const post = { url: config.url, body, headers, secrets, terms: termsOf(config) }
    return postJson(sender, { kind: 'contact', ...post }, signal)
  }
}
