import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { RADIUS_UNSIGNED } from '../../core/monitors/types/causes.ts'
import type { PacketProtocol } from './by-packets.ts'
import { Cursor } from './cursor.ts'

const ACCESS_REQUEST = 1
const ANSWERS: Record<number, string> = { 2: 'Access-Accept', 3: 'Access-Reject', 11: 'Access-Challenge' }
const HEAD_BYTES = 20
const AUTHENTICATOR_BYTES = 16
const MAX_IDS = 256
/** RFC 2865, section 5. */
const ATTRIBUTES = { user: 1, password: 2, service: 6, called: 30, calling: 31, nas: 32, signature: 80 }
const AUTHENTICATE_ONLY = Buffer.from([0, 0, 0, 8])
const OWN_NAME = 'upbeat'
const PASSWORD_BLOCK = 16
const MAX_PASSWORD_BYTES = 128
const MAX_ATTRIBUTE_BYTES = 253

/**
 * RFC 2865: a sign-in by PAP, with a Message-Authenticator before all else (RFC 3579, section 3.2), without which servers are silent, as they
 * are to another secret.
 */
export const RADIUS: PacketProtocol<'radius'> = {
  name: 'RADIUS',
  begin: ({ settings: { username, password, options }, secrets }) => {
    const secret = options?.shared_secret ?? ''
    secrets.push(secret)
    const id = randomInt(MAX_IDS)
    const authenticator = randomBytes(AUTHENTICATOR_BYTES)
    const attributes = [
      attribute(ATTRIBUTES.user, username ?? ''),
      attribute(ATTRIBUTES.password, hidden(password ?? '', secret, authenticator)),
      attribute(ATTRIBUTES.service, AUTHENTICATE_ONLY),
      attribute(ATTRIBUTES.nas, OWN_NAME),
      ...(options?.called_station_id ? [attribute(ATTRIBUTES.called, options.called_station_id)] : []),
      ...(options?.calling_station_id ? [attribute(ATTRIBUTES.calling, options.calling_station_id)] : []),
    ]
    const signedBy = attribute(ATTRIBUTES.signature, Buffer.alloc(AUTHENTICATOR_BYTES))
    const packet = Buffer.concat([
      head(id, authenticator, [signedBy, ...attributes]),
      signedBy,
      ...attributes,
    ])
    createHmac('md5', secret)
      .update(packet)
      .digest()
      .copy(packet, HEAD_BYTES + 2)
    return {
      packet,
      read: (bytes) => {
        const cursor = new Cursor(bytes)
        const code = cursor.byte()
        const isOurs = cursor.byte() === id
        const length = cursor.uint16()
        const answer = new Cursor(bytes.subarray(0, length)).take(Math.max(length, HEAD_BYTES))
        const name = ANSWERS[code]
        if (!isOurs || name === undefined) return null
        const isSigned = signatureOf(answer, authenticator, secret).equals(
          answer.subarray(HEAD_BYTES - AUTHENTICATOR_BYTES, HEAD_BYTES),
        )
        if (!isSigned) return { answer: { fault: RADIUS_UNSIGNED } }
        return { answer: { fault: null, read: { answer: name } } }
      },
    }
  },
}

function head(id: number, authenticator: Buffer, attributes: readonly Buffer[]): Buffer {
  const length = HEAD_BYTES + Buffer.concat(attributes).length
  return Buffer.concat([Buffer.from([ACCESS_REQUEST, id, length >> 8, length & 0xff]), authenticator])
}

function attribute(type: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value).subarray(0, MAX_ATTRIBUTE_BYTES)
  return Buffer.concat([Buffer.from([type, bytes.length + 2]), bytes])
}

/** RFC 2865, section 5.2. */
function hidden(password: string, secret: string, authenticator: Buffer): Buffer {
  const text = Buffer.from(password).subarray(0, MAX_PASSWORD_BYTES)
  const blocks = Math.max(1, Math.ceil(text.length / PASSWORD_BLOCK))
  const padded = Buffer.concat([text, Buffer.alloc(blocks * PASSWORD_BLOCK - text.length)])
  let before = authenticator
  for (let at = 0; at < padded.length; at += PASSWORD_BLOCK) {
    const mask = createHash('md5').update(secret).update(before).digest()
    const block = padded.subarray(at, at + PASSWORD_BLOCK)
    for (const [place, byte] of mask.entries()) block[place] = (block[place] ?? 0) ^ byte
    before = block
  }
  return padded
}

/** The Response Authenticator (RFC 2865, section 3). */
function signatureOf(answer: Buffer, authenticator: Buffer, secret: string): Buffer {
  return createHash('md5')
    .update(answer.subarray(0, HEAD_BYTES - AUTHENTICATOR_BYTES))
    .update(authenticator)
    .update(answer.subarray(HEAD_BYTES))
    .update(secret)
    .digest()
}
