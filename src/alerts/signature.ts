import { createHmac } from 'node:crypto'

/**
 * The headers of Standard Webhooks 1.0.0: message id, time of the attempt in Unix seconds, and the HMAC-SHA256 of both
 * with the body. `secret` is `whsec_` and the key in base64.
 */
export function signatureHeaders(secret: string, messageId: string, sentAt: Date, body: string) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
