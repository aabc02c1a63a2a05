import { createHash, randomBytes } from 'node:crypto'
import type { ProbeAttempt } from '../attempt.ts'
import type { Hop, WebSettings } from '../hop.ts'
import type { Authorizer } from './authorizer.ts'

/** The best one first; `-sess` may follow each (RFC 7616, section 3.4). */
const HASHES = { 'SHA-512-256': 'sha512-256', 'SHA-256': 'sha256', MD5: 'md5' } as const
const PREFERRED = Object.keys(HASHES)
const MAX_HEADER_LENGTH = 16_384
/** A nonce that is no longer good is replaced once. */
const MAX_ANSWERS = 2
const ASCII = /^[\x20-\x7e]*$/

type Challenge = {
  realm: string
  nonce: string
  opaque: string | null
  algorithm: string | null
  qop: 'auth' | 'auth-int' | null
  hashesUser: boolean
}

/** Digest authentication (RFC 7616, and RFC 2069 where a server knows no `qop`) by the user name and password of the monitor. */
export function createDigest({ settings, secrets }: ProbeAttempt<WebSettings>): Authorizer {
  const { username, password } = settings
  let answered: Hop | null = null
  let answers = 0
  return {
    begin: async () => null,
    async again(hop, { headersDistinct }) {
      // Node reads header bytes as Latin-1; servers mean UTF-8.
      const header = Buffer.from((headersDistinct['www-authenticate'] ?? []).join(', '), 'latin1').toString(
        'utf8',
      )
      const found = challengeIn(header)
      answers = answered === hop ? answers + 1 : 1
      answered = hop
      if (!found || answers > MAX_ANSWERS || (answers > 1 && !found.isStale)) return null
      const value = digestFor(found.challenge, hop, {
        username: username ?? '',
        password: password ?? '',
        cnonce: randomBytes(16).toString('hex'),
      })
      // A password can be guessed by it.
      secrets.push(value, responseIn(value))
      return { kind: 'value', value }
    },
    isForOneRequest: true,
  }
}

/** The best challenge of Digest in a header `WWW-Authenticate`; null without one that can be answered. */
export function challengeIn(header: string): { challenge: Challenge; isStale: boolean } | null {
  const known = readChallenges(header.slice(0, MAX_HEADER_LENGTH))
    .filter(({ scheme }) => scheme.toLowerCase() === 'digest')
    .flatMap(({ parameters }) => {
      const { realm, nonce, opaque, algorithm = null, qop, stale, userhash } = Object.fromEntries(parameters)
      const offered = qop?.split(',').map((one) => one.trim().toLowerCase())
      const taken = (['auth', 'auth-int'] as const).find((one) => offered?.includes(one)) ?? null
      const place = PREFERRED.indexOf((algorithm ?? 'MD5').replace(/-sess$/i, '').toUpperCase())
      if (realm === undefined || nonce === undefined || place < 0 || (offered && taken === null)) return []
      const hashesUser = userhash?.toLowerCase() === 'true'
      const challenge = { realm, nonce, opaque: opaque ?? null, algorithm, qop: taken, hashesUser }
      return [{ challenge, place, isStale: stale?.toLowerCase() === 'true' }]
    })
  return known.sort((one, other) => one.place - other.place)[0] ?? null
}

/** Reads challenges (RFC 9110, section 11.6.1) as far as they can be read, in time that is linear. */
function readChallenges(header: string): { scheme: string; parameters: Map<string, string> }[] {
  const piece =
    /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))|=+(?=[\s,]|$))?/gsy
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  for (let found = piece.exec(header); found !== null; found = piece.exec(header)) {
    const [, name = '', quoted, plain] = found
    const value = quoted?.replace(/\\(.)/gs, '$1') ?? plain
    if (value === undefined) challenges.push({ scheme: name, parameters: new Map() })
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value)
  }
  return challenges
}

/** The header `Authorization` that answers a challenge. */
export function digestFor(
  { realm, nonce, opaque, algorithm, qop, hashesUser }: Challenge,
  { url, method, body }: Hop,
  { username, password, cnonce }: { username: string; password: string; cnonce: string },
): string {
  const name = (algorithm ?? 'MD5').replace(/-sess$/i, '').toUpperCase() as keyof typeof HASHES
  const hash = (value: string | Buffer) => createHash(HASHES[name]).update(value).digest('hex')
  const isSession = /-sess$/i.test(algorithm ?? '')
  const uri = url.pathname + url.search
  const nc = '00000001'
  const plain = hash(`${username}:${realm}:${password}`)
  const secret = isSession ? hash(`${plain}:${nonce}:${cnonce}`) : plain
  const of = qop === 'auth-int' ? `${method}:${uri}:${hash(body ?? '')}` : `${method}:${uri}`
  const response =
    qop === null
      ? hash(`${secret}:${nonce}:${hash(of)}`)
      : hash(`${secret}:${nonce}:${nc}:${cnonce}:${qop}:${hash(of)}`)
  const user = hashesUser ? hash(`${username}:${realm}`) : username
  const parts = [
    ASCII.test(user) ? `username=${quoted(user)}` : `username*=UTF-8''${encodeURIComponent(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop === null ? [] : [`qop=${qop}`, `nc=${nc}`]),
    ...(qop !== null || isSession ? [`cnonce="${cnonce}"`] : []),
    ...(hashesUser ? ['userhash=true'] : []),
  ]
  return `Digest ${parts.join(', ')}`
}

function responseIn(header: string): string {
  return /response="(\w+)"/.exec(header)?.[1] ?? ''
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
