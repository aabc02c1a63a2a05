import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const KEY_BYTES = 65
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Push services take no more (RFC 8291, section 4). */
const MAX_BODY_BYTES = 4_096
const HEADER_BYTES = SALT_BYTES + 4 + 1 + KEY_BYTES
/** Ends the last record (RFC 8188, section 2). */
const LAST_RECORD = Buffer.from([2])

export const MAX_PUSH_BYTES = MAX_BODY_BYTES - HEADER_BYTES - LAST_RECORD.length - TAG_BYTES

/** The keys of a subscription, in base64url. */
export type SubscriptionKeys = { p256dh: string; auth: string }

/**
 * Encrypts a message for one browser, in one record of `aes128gcm` (RFC 8291): the push service in between cannot read
 * it. Throws if the key of the subscription is no point of the curve, or the message is too long. `chosen` is for the
 * example of the RFC; else the salt and the key are new for each message.
 */
export function encryptPush(
  message: string,
  { p256dh, auth }: SubscriptionKeys,
  chosen?: { salt: Buffer; privateKey: Buffer },
): Buffer {
  const plain = Buffer.from(message)
  if (plain.length > MAX_PUSH_BYTES) throw new RangeError(`a push message of ${plain.length} bytes`)
  const receiverKey = Buffer.from(p256dh, 'base64url')
  const sender = createECDH(CURVE)
  if (chosen) sender.setPrivateKey(chosen.privateKey)
  else sender.generateKeys()
  const senderKey = sender.getPublicKey()
  const salt = chosen?.salt ?? randomBytes(SALT_BYTES)

  const shared = sender.computeSecret(receiverKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const secret = derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES)

  const header = Buffer.alloc(SALT_BYTES + 5)
  salt.copy(header)
  header.writeUInt32BE(MAX_BODY_BYTES, SALT_BYTES)
  header.writeUInt8(KEY_BYTES, SALT_BYTES + 4)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(plain), cipher.update(LAST_RECORD), cipher.final()])
  return Buffer.concat([header, senderKey, sealed, cipher.getAuthTag()])
}

function derive(key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, bytes))
}
