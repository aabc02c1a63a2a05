import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/*
 * Made-up authorities and certificates (RFC 5280), written byte by byte: what makes a certificate wrong is one
 * argument here, and no library stands between a test and it.
 */

const DAY_MS = 86_400_000
const ECDSA_WITH_SHA256 = sequence(hex('06082a8648ce3d040302'))
const COMMON_NAME = hex('0603550403')
const BASIC_CONSTRAINTS = hex('0603551d13')
const SUBJECT_ALT_NAME = hex('0603551d11')
const TRUE = hex('0101ff')

const NO_AUTHORITY = sequence(BASIC_CONSTRAINTS, der(0x04, sequence()))

/** PEM texts, in the shape TLS servers take them. */
export type ServerCertificate = { key: string; cert: string }

export type Leaf = {
  commonName?: string
  /** DNS names and IP addresses it is good for; `localhost` and 127.0.0.1 unless given, none at all when empty. */
  names?: string[]
  /** An RSA key of so many bits in the place of an elliptic one. */
  rsaBits?: number
  /** Days from now; negative ones lie behind. */
  validFromDays?: number
  validForDays?: number
}

export type Authority = {
  pem: string
  issue: (leaf: Leaf) => ServerCertificate
  /** An authority below this one; its certificate is `pem`. */
  issueAuthority: (commonName: string, validity?: Pick<Leaf, 'validFromDays' | 'validForDays'>) => Authority
}

type Keys = { privateKey: KeyObject; publicKey: KeyObject }

export function createAuthority(commonName: string): Authority {
  const keys = keyPair()
  const issuer = { name: distinguishedName(commonName), key: keys.privateKey }
  return authority(commonName, keys, issuer, {})
}

function authority(
  commonName: string,
  keys: Keys,
  issuer: { name: Buffer; key: KeyObject },
  validity: Leaf,
): Authority {
  const own = { name: distinguishedName(commonName), key: keys.privateKey }
  const pem = certificate({
    issuer: issuer.name,
    subject: own.name,
    keys,
    signingKey: issuer.key,
    extensions: sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
    leaf: validity,
  })
  return {
    pem,
    issue: (leaf) => serverCertificate(leaf, keyPair(leaf), own),
    issueAuthority: (below, dates = {}) => authority(below, keyPair(), own, dates),
  }
}

export function selfSigned(leaf: Leaf): ServerCertificate {
  const keys = keyPair(leaf)
  return serverCertificate(leaf, keys, { name: subjectOf(leaf), key: keys.privateKey })
}

function serverCertificate(
  leaf: Leaf,
  keys: Keys,
  issuer: { name: Buffer; key: KeyObject },
): ServerCertificate {
  return {
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: certificate({
      issuer: issuer.name,
      subject: subjectOf(leaf),
      keys,
      signingKey: issuer.key,
      extensions: alternativeNames(leaf.names ?? ['localhost', '127.0.0.1']),
      leaf,
    }),
  }
}

function certificate(parts: {
  issuer: Buffer
  subject: Buffer
  keys: Keys
  signingKey: KeyObject
  extensions: Buffer
  leaf?: Leaf
}): string {
  const { validFromDays = -30, validForDays = 60 } = parts.leaf ?? {}
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    parts.issuer,
    sequence(utcTime(validFromDays), utcTime(validForDays)),
    parts.subject,
    parts.keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(parts.extensions)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, parts.signingKey)]))
  const whole = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

function keyPair({ rsaBits }: Leaf = {}): Keys {
  return rsaBits === undefined
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: rsaBits })
}

function subjectOf({ commonName = 'localhost' }: Leaf): Buffer {
  return distinguishedName(commonName)
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))))
}

function alternativeNames(names: string[]): Buffer {
  if (names.length === 0) return NO_AUTHORITY
  const encoded = names.map((name) =>
    ipaddr.isValid(name)
      ? der(0x87, Buffer.from(ipaddr.parse(name).toByteArray()))
      : der(0x82, Buffer.from(name)),
  )
  return sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...encoded)))
}

/** UTCTime, good until 2049. */
function utcTime(daysFromNow: number): Buffer {
  const digits = new Date(Date.now() + daysFromNow * DAY_MS).toISOString().replace(/\D/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

/** One value in DER: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
