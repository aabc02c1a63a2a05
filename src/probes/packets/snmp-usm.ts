import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { signInRefused } from '../../core/monitors/types/protocol-causes.ts'
import * as ber from './ber.ts'
import type { Current, Dialogue } from './by-packets.ts'
import { Cursor, Garbled } from './cursor.ts'
import { PDUS, questionOf, type SnmpQuestion } from './snmp-question.ts'

const VERSION = 3
const USER_SECURITY_MODEL = 3
const MAX_MESSAGE_BYTES = 65_507
const MAX_ID = 2 ** 31 - 1
const MAX_ENGINE_ID_BYTES = 32
const FLAGS = { signed: 1, encrypted: 2, reportable: 4 }
/** A password is repeated until it is so long (RFC 3414, section A.2). */
const STRETCHED_BYTES = 1_048_576
const KEY_BYTES = 16
const SALT_BYTES = 8
const CIPHER = 'aes-128-cfb'

/** Hashes, and how much of what they give signs a message (RFC 3414, RFC 7860). */
const SIGNING = {
  md5: { hash: 'md5', bytes: 12 },
  sha: { hash: 'sha1', bytes: 12 },
  sha224: { hash: 'sha224', bytes: 16 },
  sha256: { hash: 'sha256', bytes: 24 },
  sha384: { hash: 'sha384', bytes: 32 },
  sha512: { hash: 'sha512', bytes: 48 },
} as const

/** Why an agent reports instead of answering (RFC 3414, section 5), by the last number of the counter in the report. */
const REPORTS: Record<string, string> = {
  '1': 'it does not take this level of security',
  '2': 'not in its time window',
  '3': 'unknown user name',
  '4': 'unknown engine ID',
  '5': 'wrong password or authentication protocol',
  '6': 'it cannot decrypt what it was sent',
}
const COUNTERS = '1.3.6.1.6.3.15.1.1.'
const OUTSIDE_WINDOW = '2'
const UNKNOWN_ENGINE = '4'

/** The facts of an agent that every message repeats. */
type Engine = { id: Buffer; boots: number; time: number }
type Keys = { signing: Buffer | null; encrypting: Buffer | null }
type Message = Engine & { flags: number; signature: Buffer; salt: Buffer; data: ber.Element }

/**
 * Version 3: the first message asks the agent who it is, the second one what we want to know, signed and encrypted as far as there are
 * passwords.
 */
export function beginSecured(current: Current<'snmp'>): Dialogue {
  const { settings, secrets } = current
  const { username = null, password = null, options } = settings
  const { auth_protocol: protocol = 'sha', privacy_password: privacy } = options ?? {}
  if (privacy !== undefined) secrets.push(privacy)
  const signing = SIGNING[protocol]
  const question = questionOf(options?.oid ?? '')
  const user = username ?? ''
  let known: { engine: Engine; keys: Keys } | null = null
  let asksAgain = true

  const ask = (engine: Engine): Buffer => {
    const { hash } = signing
    const keys = known?.keys ?? {
      signing: password ? localizedKey(hash, password, engine.id) : null,
      encrypting: password && privacy ? localizedKey(hash, privacy, engine.id).subarray(0, KEY_BYTES) : null,
    }
    known = { engine, keys }
    return messageOf(question, user, { engine, keys, signing })
  }

  return {
    packet: messageOf(questionOf('1.3'), '', null),
    read: (bytes) => {
      const { message, pdu, tag } = open(bytes, known?.keys ?? null, signing)
      if (tag === PDUS.report) {
        const counter = counterIn(pdu)
        const isNews = known === null || (counter === OUTSIDE_WINDOW && asksAgain)
        if (known !== null && counter === UNKNOWN_ENGINE) return null
        if (known !== null && counter === OUTSIDE_WINDOW) asksAgain = false
        if (isNews && (counter === UNKNOWN_ENGINE || counter === OUTSIDE_WINDOW))
          return { instead: ask(message) }
        const why = REPORTS[counter] ?? 'it reports an error'
        return { answer: { fault: signInRefused('SNMP', why) } }
      }
      if (tag !== PDUS.response) throw new Garbled('no answer')
      if (known === null) return null
      const found = question.read(pdu)
      return found && { answer: found }
    },
  }
}

type Terms = { engine: Engine; keys: Keys; signing: (typeof SIGNING)[keyof typeof SIGNING] }

/** The question in a message; without terms one that an agent reports its engine to. */
function messageOf(question: SnmpQuestion, user: string, terms: Terms | null): Buffer {
  const { engine = { id: Buffer.alloc(0), boots: 0, time: 0 }, keys, signing } = terms ?? {}
  const isSigned = keys?.signing != null
  const isEncrypted = keys?.encrypting != null
  const scoped = ber.encode(
    ber.TAGS.sequence,
    ber.encode(ber.TAGS.octets, engine.id),
    ber.encode(ber.TAGS.octets),
    question.pdu,
  )
  const salt = isEncrypted ? randomBytes(SALT_BYTES) : Buffer.alloc(0)
  const data = isEncrypted
    ? ber.encode(ber.TAGS.octets, encrypted(scoped, keys?.encrypting ?? salt, engine, salt))
    : scoped
  const flags = FLAGS.reportable | (isSigned ? FLAGS.signed : 0) | (isEncrypted ? FLAGS.encrypted : 0)
  const write = (signature: Buffer) =>
    ber.encode(
      ber.TAGS.sequence,
      ber.encodeInteger(VERSION),
      ber.encode(
        ber.TAGS.sequence,
        ber.encodeInteger(randomInt(1, MAX_ID)),
        ber.encodeInteger(MAX_MESSAGE_BYTES),
        ber.encode(ber.TAGS.octets, Uint8Array.of(flags)),
        ber.encodeInteger(USER_SECURITY_MODEL),
      ),
      ber.encode(ber.TAGS.octets, securityOf(engine, user, signature, salt)),
      data,
    )
  if (!isSigned || !signing) return write(Buffer.alloc(0))
  // A message is signed with zeros in the place of the signature, which this mark finds.
  const mark = randomBytes(signing.bytes)
  const packet = write(mark)
  const at = packet.indexOf(mark)
  packet.fill(0, at, at + mark.length)
  const signature = createHmac(signing.hash, keys?.signing ?? '')
    .update(packet)
    .digest()
  signature.copy(packet, at, 0, signing.bytes)
  return packet
}

function securityOf({ id, boots, time }: Engine, user: string, signature: Buffer, salt: Buffer): Buffer {
  return ber.encode(
    ber.TAGS.sequence,
    ber.encode(ber.TAGS.octets, id),
    ber.encodeInteger(boots),
    ber.encodeInteger(time),
    ...[user, signature, salt].map((octets) => ber.encode(ber.TAGS.octets, octets)),
  )
}

/** Opens a message of an agent. One that is not signed as it must be is none of ours. */
function open(bytes: Buffer, keys: Keys | null, signing: Terms['signing']) {
  const message = messageIn(bytes)
  const isSigned = (message.flags & FLAGS.signed) !== 0
  if (isSigned && keys?.signing) {
    const at = message.signature.byteOffset - bytes.byteOffset
    const unsigned = Buffer.from(bytes)
    unsigned.fill(0, at, at + message.signature.length)
    const wanted = createHmac(signing.hash, keys.signing).update(unsigned).digest().subarray(0, signing.bytes)
    if (!wanted.equals(message.signature)) throw new Garbled('another signature')
  }
  const isEncrypted = (message.flags & FLAGS.encrypted) !== 0
  const { data } = message
  const plain =
    isEncrypted && keys?.encrypting ? decrypted(data.value, keys.encrypting, message, message.salt) : null
  const scoped = plain ? ber.enter(new Cursor(plain)) : new Cursor(data.value)
  if (isEncrypted && !plain) throw new Garbled('encrypted')
  ber.expect(scoped, ber.TAGS.octets)
  ber.expect(scoped, ber.TAGS.octets)
  const { tag, value } = ber.read(scoped)
  if (tag === PDUS.response && keys?.signing && !isSigned) throw new Garbled('not signed')
  return { message, tag, pdu: new Cursor(value) }
}

function messageIn(bytes: Buffer): Message {
  const outer = ber.enter(new Cursor(bytes))
  if (ber.integerIn(ber.expect(outer, ber.TAGS.integer)) !== BigInt(VERSION)) throw new Garbled('version')
  const head = ber.enter(outer)
  ber.expect(head, ber.TAGS.integer)
  ber.expect(head, ber.TAGS.integer)
  const flags = ber.expect(head, ber.TAGS.octets)[0] ?? 0
  const security = ber.enter(ber.enter(outer, ber.TAGS.octets))
  const id = ber.expect(security, ber.TAGS.octets)
  if (id.length > MAX_ENGINE_ID_BYTES) throw new Garbled('engine ID')
  const [boots, time] = [0, 0].map(() => Number(ber.integerIn(ber.expect(security, ber.TAGS.integer))))
  if (!isCount(boots) || !isCount(time)) throw new Garbled('clock')
  ber.expect(security, ber.TAGS.octets)
  const signature = ber.expect(security, ber.TAGS.octets)
  const salt = ber.expect(security, ber.TAGS.octets)
  return { id, boots, time, flags, signature, salt, data: ber.read(outer) }
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= MAX_ID
}

/** The last number of the counter that an agent reports. */
function counterIn(pdu: Cursor): string {
  for (let passed = 0; passed < 3; passed++) ber.expect(pdu, ber.TAGS.integer)
  const oid = ber.oidIn(ber.expect(ber.enter(ber.enter(pdu)), ber.TAGS.oid))
  return oid.startsWith(COUNTERS) ? (oid.slice(COUNTERS.length).split('.')[0] ?? '') : ''
}

/** RFC 3414, sections A.2 and 2.6. */
function localizedKey(hash: string, password: string, engineId: Buffer): Buffer {
  const text = Buffer.from(password)
  const stretched = Buffer.alloc(STRETCHED_BYTES, text)
  const key = createHash(hash).update(stretched).digest()
  return createHash(hash).update(key).update(engineId).update(key).digest()
}

/** RFC 3826, section 3. */
function encrypted(data: Buffer, key: Buffer, engine: Engine, salt: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, vectorOf(engine, salt))
  return Buffer.concat([cipher.update(data), cipher.final()])
}

function decrypted(data: Buffer, key: Buffer, engine: Engine, salt: Buffer): Buffer {
  if (salt.length !== SALT_BYTES) throw new Garbled('salt')
  const cipher = createDecipheriv(CIPHER, key, vectorOf(engine, salt))
  return Buffer.concat([cipher.update(data), cipher.final()])
}

function vectorOf({ boots, time }: Engine, salt: Buffer): Buffer {
  const clock = Buffer.alloc(SALT_BYTES)
  clock.writeUInt32BE(boots)
  clock.writeUInt32BE(time, 4)
  return Buffer.concat([clock, salt])
}
