import { webhookPayload } from '../core/alert.ts'
import type { ContactConfigs } from '../core/contact.ts'
import type { Channel } from './channel.ts'
import { secretPath } from './log-text.ts'
import type { PostOffice } from './post.ts'
import { postJson } from './post.ts'
import { signatureHeaders } from './signature.ts'

/** The specification's JSON body (section 6), signed as Standard Webhooks asks. */
export function webhookChannel(office: PostOffice): Channel<ContactConfigs['webhook']> {
  return ({ messageId, alert, config, signingSecret, sentAt, signal }) => {
    const body = JSON.stringify(webhookPayload(alert))
    const headers = signatureHeaders(signingSecret, messageId, sentAt, body)
    const secrets = secretPath(config.url)
    return postJson(office, { url: config.url, body, headers, secrets }, signal)
  }
}
