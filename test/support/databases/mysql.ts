import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import type { Answer, Dialogue, DialogueOptions } from '../line-servers/line-server.ts'

const SALT = Buffer.from('salt-of-twenty-bytes')
const NATIVE = 'mysql_native_password'
const SHA2 = 'caching_sha2_password'
const REQUEST_BYTES = 36
const TLS = 0x800

/** How a server wants a proof, by the ways in `signIns`: what it greets with, and to what it switches. */
const WAYS: Record<string, { greets: string; switches?: string }> = {
  native: { greets: NATIVE },
  sha2: { greets: SHA2 },
  'sha2 in full': { greets: SHA2 },
  'native, after a switch': { greets: SHA2, switches: NATIVE },
  clear: { greets: SHA2, switches: 'mysql_clear_password' },
  another: { greets: NATIVE, switches: 'client_ed25519' },
}

let keys: { publicKey: string; privateKey: string } | undefined

/** The server's side of the protocol of MySQL, with one row of one number for every query. */
export function speakMysql({ offersTls, user, signIns }: DialogueOptions): Dialogue {
  const way = signIns?.[0] ?? 'sha2'
  const { greets, switches } = WAYS[way] ?? { greets: NATIVE }
  let stage: 'greeting' | 'proof' | 'switched' | 'full' | 'key' | 'in' = 'greeting'
  const password = user?.password ?? ''

  const welcome = (isRight: boolean, sequence: number, before: Buffer[] = []): Answer => {
    stage = 'in'
    const says = isRight
      ? packet(sequence + before.length, ok())
      : refusal("Access denied for user 'watcher'", sequence)
    return { step: 'sign-in', says: Buffer.concat([...before, says]) }
  }
  const judge = (proof: Buffer, sequence: number): Answer => {
    const isRight = proof.equals(proofOf(switches ?? greets, password))
    if (way === 'sha2 in full') {
      stage = 'full'
      return { step: 'sign-in', says: packet(sequence, Buffer.of(1, 4)) }
    }
    return welcome(isRight, sequence, way === 'sha2' && isRight ? [packet(sequence, Buffer.of(1, 3))] : [])
  }

  return {
    greeting: packet(
      0,
      Buffer.concat([
        ...[Buffer.of(10), text('8.4.0'), Buffer.of(7, 0, 0, 0), SALT.subarray(0, 8), Buffer.of(0)],
        ...[
          Buffer.of(0, (offersTls() ? TLS : 0) >> 8),
          Buffer.alloc(3),
          Buffer.of(0, 0, 21),
          Buffer.alloc(10),
        ],
        ...[SALT.subarray(8), Buffer.of(0), text(greets)],
      ]),
    ),
    lengthOf(held) {
      const length = held.length < 4 ? Number.POSITIVE_INFINITY : held.readUIntLE(0, 3) + 4
      return held.length >= length ? length : 0
    },
    answer(line) {
      const bytes = Buffer.from(line, 'latin1')
      const sequence = (bytes[3] ?? 0) + 1
      const body = bytes.subarray(4)
      switch (stage) {
        case 'greeting': {
          if (bytes.length === REQUEST_BYTES) return { step: 'starttls', says: null, next: 'tls' }
          const name = body.indexOf(0, 32)
          const length = body[name + 1] ?? 0
          if (switches) {
            stage = 'switched'
            const wanted = Buffer.concat([Buffer.of(0xfe), text(switches), SALT, Buffer.of(0)])
            return { step: 'sign-in', says: packet(sequence, wanted) }
          }
          stage = 'proof'
          return judge(body.subarray(name + 2, name + 2 + length), sequence)
        }
        case 'switched':
          return way === 'clear' ? welcome(body.equals(text(password)), sequence) : judge(body, sequence)
        case 'full': {
          if (body.length > 1) return welcome(body.equals(text(password)), sequence)
          stage = 'key'
          keys ??= generateKeyPairSync('rsa', {
            modulusLength: 2_048,
            publicKeyEncoding: { type: 'spki', format: 'pem' },
            privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
          })
          return {
            step: 'sign-in',
            says: packet(sequence, Buffer.concat([Buffer.of(1), Buffer.from(keys.publicKey)])),
          }
        }
        case 'key': {
          const padding = constants.RSA_PKCS1_OAEP_PADDING
          const mixed = privateDecrypt({ key: keys?.privateKey ?? '', padding }, body)
          const sent = Buffer.from(mixed.map((byte, at) => byte ^ (SALT[at % SALT.length] ?? 0)))
          return welcome(sent.equals(text(password)), sequence)
        }
        default: {
          if (body[0] !== 3) return { step: 'farewell', says: null, next: 'end' }
          const isSetting = body.toString('utf8', 1).startsWith('SET')
          return isSetting ? { step: 'ask', says: packet(1, ok()) } : { step: 'query', says: rowsOf(['7']) }
        }
      }
    },
  }
}

/** The answer to a query: rows of one number. */
export function rowsOf(values: readonly string[]): Buffer {
  const fixed = Buffer.from([0x0c, 63, 0, 21, 0, 0, 0, 8, 1, 0, 0, 0, 0])
  const column = Buffer.concat([...['def', '', '', '', 'count', ''].map(value), fixed])
  const end = Buffer.of(0xfe, 0, 0, 2, 0)
  const packets = [Buffer.of(1), column, end, ...values.map(value), end]
  return Buffer.concat(packets.map((body, at) => packet(at + 1, body)))
}

export function refusal(why: string, sequence = 1): Buffer {
  return packet(sequence, Buffer.concat([Buffer.of(0xff, 0x15, 0x04), Buffer.from(`#28000${why}`)]))
}

export function packet(sequence: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence % 256
  return Buffer.concat([head, body])
}

function ok(): Buffer {
  return Buffer.of(0, 0, 0, 2, 0, 0, 0)
}

function value(written: string): Buffer {
  const bytes = Buffer.from(written)
  const head = bytes.length < 251 ? Buffer.of(bytes.length) : Buffer.of(0xfd, 0, 0, 0)
  if (bytes.length >= 251) head.writeUIntLE(bytes.length, 1, 3)
  return Buffer.concat([head, bytes])
}

function proofOf(plugin: string, password: string): Buffer {
  const hash = (...parts: Buffer[]) =>
    createHash(plugin === SHA2 ? 'sha256' : 'sha1')
      .update(Buffer.concat(parts))
      .digest()
  const once = hash(Buffer.from(password))
  const mixed = plugin === SHA2 ? hash(hash(once), SALT) : hash(SALT, hash(once))
  return Buffer.from(once.map((byte, at) => byte ^ (mixed[at] ?? 0)))
}

function text(written: string): Buffer {
  return Buffer.from(`${written}\0`)
}
