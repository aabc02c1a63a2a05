import { createHash } from 'node:crypto'
import type { Answer, Dialogue, DialogueOptions } from '../line-servers/line-server.ts'
import { createScramServer } from './scram.ts'

const WANTS_TLS = 80_877_103
const HEAD = 5
const SALT = 'salt'
/** Messages that more follow of one request. */
const GOES_ON = 'PBDE'

/** The server's side of the protocol of PostgreSQL, with one row of one number for every query. */
export function speakPostgresql({ offersTls, user, signIns }: DialogueOptions): Dialogue {
  let isBegun = false
  let scram: ReturnType<typeof createScramServer> | null = null
  const way = signIns?.[0] ?? (user ? 'scram' : 'trust')

  const begin = (): Answer => {
    const ways: Record<string, Buffer> = {
      trust: welcome(),
      clear: authentication(3),
      md5: authentication(5, Buffer.from(SALT)),
      scram: authentication(10, text('SCRAM-SHA-256'), Buffer.of(0)),
    }
    // Kerberos, which needs more than a password.
    return { step: 'sign-in', says: ways[way] ?? authentication(7) }
  }
  const prove = (line: string): Answer => {
    const sent = Buffer.from(line.slice(HEAD), 'latin1').toString()
    if (way === 'scram' && scram === null) {
      scram = createScramServer('sha256', user?.password ?? '')
      const first = sent.slice(sent.indexOf('\0') + 1 + 4)
      return { step: 'sign-in', says: authentication(11, Buffer.from(scram.first(first))) }
    }
    const final = scram?.final(sent)
    if (final)
      return { step: 'sign-in', says: Buffer.concat([authentication(12, Buffer.from(final)), welcome()]) }
    const known = { clear: user?.password, md5: `md5${md5(md5(`${user?.password}${user?.name}`) + SALT)}` }
    const isRight = way in known && known[way as keyof typeof known] === sent.replace(/\0$/, '')
    return { step: 'sign-in', says: isRight ? welcome() : refusal('28P01', 'password authentication failed') }
  }

  return {
    greeting: null,
    lengthOf(held) {
      if (!isBegun) return held.length >= 4 && held.length >= held.readInt32BE() ? held.readInt32BE() : 0
      for (let at = 0; at + HEAD <= held.length; ) {
        const type = String.fromCharCode(held[at] ?? 0)
        at += 1 + held.readInt32BE(at + 1)
        if (!GOES_ON.includes(type)) return at <= held.length ? at : 0
      }
      return 0
    },
    answer(line) {
      if (!isBegun) {
        const code = Buffer.from(line, 'latin1').readInt32BE(4)
        if (code === WANTS_TLS)
          return offersTls() ? { step: 'starttls', says: 'S', next: 'tls' } : { step: 'starttls', says: 'N' }
        isBegun = true
        return begin()
      }
      switch (line[0]) {
        case 'p':
          return prove(line)
        case 'Q':
          return { step: 'ask', says: Buffer.concat([message('C', text('BEGIN')), ready()]) }
        case 'P':
          return { step: 'query', says: rowsOf(['7']) }
        default:
          return { step: 'farewell', says: null, next: 'end' }
      }
    },
  }
}

/** The answer to a query: rows of one number. */
export function rowsOf(values: readonly string[]): Buffer {
  const column = Buffer.concat([text('count'), int32(0), int16(0), int32(20), int16(8), int32(-1), int16(0)])
  return Buffer.concat([
    ...[message('1'), message('2'), message('T', int16(1), column)],
    ...[...values.map(row), message('C', text(`SELECT ${values.length}`)), ready()],
  ])
}

export function row(value: string): Buffer {
  return message('D', int16(1), int32(Buffer.byteLength(value)), Buffer.from(value))
}

export function refusal(code: string, why: string): Buffer {
  return message('E', text('SFATAL'), text(`C${code}`), text(`M${why}`), Buffer.of(0))
}

function welcome(): Buffer {
  const version = message('S', text('server_version'), text('18.4'))
  return Buffer.concat([authentication(0), version, message('K', int32(7), int32(7)), ready()])
}

function authentication(code: number, ...rest: Buffer[]): Buffer {
  return message('R', int32(code), ...rest)
}

function ready(): Buffer {
  return message('Z', Buffer.from('I'))
}

export function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function md5(value: string): string {
  return createHash('md5').update(value).digest('hex')
}
