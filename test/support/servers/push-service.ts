import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { PushMessage } from '../../../src/alerts/webpush.ts'
import type { PushKeys } from '../../../src/core/alerting/push-keys.ts'
import type { Received } from './receivers.ts'

const CURVE = 'prime256v1'
const MAX_BODY_BYTES = 4_096
const DAY_SECONDS = 86_400

/** The subscription of a browser: the private key stays there, the others it gives away. */
export type Subscription = {
  privateKey: Buffer
  keys: { p256dh: string; auth: string }
}

export function makeSubscription(): Subscription {
  const browser = createECDH(CURVE)
  const p256dh = browser.generateKeys('base64url')
  return {
    privateKey: browser.getPrivateKey(),
    keys: { p256dh, auth: randomBytes(16).toString('base64url') },
  }
}

export function makePushKeys(): PushKeys {
  const pair = createECDH(CURVE)
  return { publicKey: pair.generateKeys('base64url'), privateKey: pair.getPrivateKey('base64url') }
}

/** A message as the browser gets it, decrypted by the rules of RFC 8291 and RFC 8188. */
export function decryptPush(body: Buffer, { privateKey, keys }: Subscription): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body.readUInt8(20)
  assert.equal(keyLength, 65)
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  assert.ok(record.length <= recordSize, 'one record')

  const browser = createECDH(CURVE)
  browser.setPrivateKey(privateKey)
  const derive = (key: Buffer, from: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = derive(browser.computeSecret(senderKey), Buffer.from(keys.auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  assert.equal(padded[end], 2, 'the last record')
  return padded.subarray(0, end).toString()
}

/** The claims of an Authorization header, after its signature was verified (RFC 8292). */
export function readVapid(header: string | undefined): {
  aud: string
  exp: number
  sub?: string
  key: string
} {
  const [, header64 = '', claims64 = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? []
  const point = Buffer.from(key, 'base64url')
  assert.equal(point.length, 65, `no key in ${header}`)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header64}.${claims64}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert.ok(isSigned, 'the signature is that of the key')
  assert.deepEqual(parse(header64), { typ: 'JWT', alg: 'ES256' })
  return { ...(parse(claims64) as { aud: string; exp: number }), key }
}

function parse(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

/**
 * Checks and answers like the push service of a browser's maker (RFC 8030), for subscriptions made with `publicKey`.
 * `origin` is its own address, `now` its clock.
 */
export function likePushService({
  publicKey,
  origin,
  now,
}: {
  publicKey: () => Promise<string>
  origin: () => string
  now: () => Date
}): (response: ServerResponse, received: Received) => Promise<void> {
  return async (response, { headers, bytes }) => {
    const fault = await faultOf(headers, bytes, await publicKey(), origin(), now())
    if (fault) response.writeHead(fault.status).end(fault.words)
    else response.writeHead(201, { location: `${origin()}/message/1` }).end()
  }
}

async function faultOf(
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  publicKey: string,
  origin: string,
  now: Date,
): Promise<{ status: number; words: string } | null> {
  if (bytes.length > MAX_BODY_BYTES) return { status: 413, words: 'payload too large' }
  if (headers['content-encoding'] !== 'aes128gcm') return { status: 415, words: 'unknown encoding' }
  if (!/^\d{1,7}$/.test(headers.ttl?.toString() ?? '')) return { status: 400, words: 'no TTL' }
  if (!/^(very-low|low|normal|high)$/.test(headers.urgency?.toString() ?? '')) {
    return { status: 400, words: 'wrong urgency' }
  }
  if (!/^[\w-]{1,32}$/.test(headers.topic?.toString() ?? 'none')) return { status: 400, words: 'wrong topic' }
  try {
    const { aud, exp, key } = readVapid(headers.authorization)
    const seconds = exp - now.getTime() / 1_000
    if (key !== publicKey) return { status: 403, words: 'another key than that of the subscription' }
    if (aud !== origin) return { status: 403, words: `a token for ${aud}` }
    if (seconds <= 0 || seconds > DAY_SECONDS) return { status: 403, words: 'a token of another time' }
    return null
  } catch (error) {
    return { status: 401, words: (error as Error).message }
  }
}

/** The notification in a request. */
export function messageIn({ bytes }: Received, subscription: Subscription): PushMessage {
  return JSON.parse(decryptPush(bytes, subscription))
}
