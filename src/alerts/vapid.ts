import { createPrivateKey, sign } from 'node:crypto'
import type { PushKeys } from '../core/alerting/push-keys.ts'

/** Push services take at most a day (RFC 8292, section 2). */
const VALID_SECONDS = 12 * 3_600
const HEADER = encode({ typ: 'JWT', alg: 'ES256' })

/**
 * The header by which a push service knows this installation (RFC 8292): a signed token for its origin, and our public
 * key. `subject` is where its operators find us, an https address; null leaves it out.
 */
export function vapidAuthorization(
  endpoint: string,
  { publicKey, privateKey }: PushKeys,
  subject: string | null,
  now: Date,
): string {
  const claims = encode({
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1_000) + VALID_SECONDS,
    ...(subject !== null && { sub: subject }),
  })
  const point = Buffer.from(publicKey, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d: privateKey }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signed = `${HEADER}.${claims}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
