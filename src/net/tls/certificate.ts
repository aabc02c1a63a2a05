import { hash, type KeyObject, type X509Certificate } from 'node:crypto'
import net from 'node:net'
import type { TLSSocket } from 'node:tls'
import { putLast } from '../../core/bounded-map.ts'
import {
  certificateExpired,
  certificateForAnother,
  certificateForNoHost,
  certificateKeyWeak,
  certificateNotYetValid,
  certificateRefused,
  certificateSelfSigned,
  certificateUntrusted,
} from '../../core/monitors/cause.ts'
import { countDays, daysRemaining } from '../../core/monitors/certificate.ts'
import type { SeenCertificate } from '../../core/monitors/check.ts'
import { certificateIn } from './session-certificate.ts'

const HOUR_MS = 3_600_000

/** OpenSSL's codes for a chain that does not end at an authority we trust. */
const NO_TRUSTED_END = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]

/** Node's code for errors without a code of their own; most often a key that is too weak. */
const UNNAMED = 'UNSPECIFIED'
const MIN_MODULUS_BITS = 2_048

/** Servers show the same certificates again and again, and reading one costs 45 µs. */
const MAX_KNOWN = 5_000
const known = new Map<string, Facts>()

/** The same for the same bytes. `named`: whether it is valid for the host that it was last asked about. */
type Facts = {
  readonly seen: SeenCertificate
  readonly validFrom: Date
  named: { host: string; isValid: boolean } | null
}

/** `leaf` gives the certificate itself, until its socket closes. */
export type PeerCertificate = { facts: Facts; leaf: () => X509Certificate }

/** The leaf certificate of a finished handshake; null when the peer sent none. */
export function readCertificate(socket: TLSSocket): PeerCertificate | null {
  const session = socket.getSession()
  const der = session ? certificateIn(session) : null
  const facts = der && known.get(hash('sha256', der))
  if (facts) return { facts, leaf: () => socket.getPeerX509Certificate() as X509Certificate }
  const leaf = socket.getPeerX509Certificate()
  return leaf ? { facts: keepFacts(leaf), leaf: () => leaf } : null
}

function keepFacts(leaf: X509Certificate): Facts {
  const fingerprint = leaf.fingerprint256.replaceAll(':', '').toLowerCase()
  const seen = { expiresAt: leaf.validToDate, fingerprint }
  const facts = { seen, validFrom: leaf.validFromDate, named: null }
  putLast(known, fingerprint, facts, MAX_KNOWN)
  return facts
}

/**
 * Lists everything wrong with a certificate, most telling first; null when it is valid for `host`. `verifyCode` is
 * OpenSSL's verdict on the chain. OpenSSL reports only one fault (an expired date hides an unknown authority) and does
 * not check names, so dates and names are judged here.
 */
export function judgeCertificate(
  certificate: PeerCertificate,
  host: string,
  verifyCode: unknown,
  now: Date,
): string | null {
  const { validFrom, seen } = certificate.facts
  const datesAreWrong = now < validFrom || now > seen.expiresAt
  const faults = [
    datesAreWrong ? dateFault(certificate, now) : null,
    isFor(certificate, host) ? null : hostFault(certificate.leaf(), host),
    verifyCode && !(datesAreWrong && isAboutDates(verifyCode)) ? chainFault(certificate, verifyCode) : null,
  ].filter((fault) => fault !== null)
  return faults.length > 0 ? faults.join('; ') : null
}

function dateFault({ facts, leaf }: PeerCertificate, now: Date): string {
  const owner = ownerOf(leaf())
  const { validFrom, seen } = facts
  const { expiresAt } = seen
  if (now < validFrom) return certificateNotYetValid(validFrom, owner)
  const hours = Math.floor((now.getTime() - expiresAt.getTime()) / HOUR_MS)
  const days = daysRemaining(now, expiresAt)
  if (days > 0) return certificateExpired(countDays(days), owner)
  return certificateExpired(
    hours > 1 ? `${hours} hours` : hours === 1 ? '1 hour' : 'less than an hour',
    owner,
  )
}

function isFor({ facts, leaf }: PeerCertificate, host: string): boolean {
  if (facts.named?.host !== host) facts.named = { host, isValid: matchesHost(leaf(), host) }
  return facts.named.isValid
}

/** Only alternative names count, never the common name, and partial wildcards do not match (RFC 9525). */
function matchesHost(leaf: X509Certificate, host: string): boolean {
  if (net.isIP(host)) return leaf.checkIP(host) !== undefined
  if (leaf.checkHost(host, { subject: 'never', partialWildcards: false }) !== undefined) return true
  return host.includes('_') && coversByWildcard(namesOf(leaf), host)
}

/** OpenSSL has no wildcard for a name with an underscore, which is no host name (RFC 952); browsers and curl have. */
function coversByWildcard(names: readonly string[], host: string): boolean {
  const [first, ...domain] = host.toLowerCase().split('.')
  const wildcard = `*.${domain.join('.')}`
  return Boolean(first) && domain.length > 1 && names.some((name) => name.toLowerCase() === wildcard)
}

function hostFault(leaf: X509Certificate, host: string): string {
  const names = namesOf(leaf)
  return names.length > 0 ? certificateForAnother(names, host) : certificateForNoHost(commonNameOf(leaf))
}

function isAboutDates(verifyCode: unknown): boolean {
  return verifyCode === 'CERT_HAS_EXPIRED' || verifyCode === 'CERT_NOT_YET_VALID'
}

function chainFault(certificate: PeerCertificate, verifyCode: unknown): string {
  const leaf = certificate.leaf()
  const owner = ownerOf(leaf)
  const code = String(verifyCode)
  const weakness = code === UNNAMED ? weaknessOf(leaf.publicKey) : null
  if (weakness) return certificateKeyWeak(weakness, owner)
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return certificateSelfSigned(owner)
  if (NO_TRUSTED_END.includes(code)) return certificateUntrusted(owner)
  if (code === 'CERT_HAS_EXPIRED') return certificateRefused('a certificate above it has expired', owner)
  return certificateRefused(code.toLowerCase().replaceAll('_', ' '), owner)
}

/** Describes a key that OpenSSL refuses at security level 2; null when the key is strong enough. */
function weaknessOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | null {
  const bits = asymmetricKeyDetails?.modulusLength ?? MIN_MODULUS_BITS
  return bits < MIN_MODULUS_BITS ? `${asymmetricKeyType?.toUpperCase()} of ${bits} bits` : null
}

/** `CN=example.com`, or the first alternative name if the certificate has no common name. */
function ownerOf(leaf: X509Certificate): string {
  return commonNameOf(leaf) ?? `SAN=${namesOf(leaf)[0] ?? 'none'}`
}

function commonNameOf(leaf: X509Certificate): string | null {
  return leaf.subject?.split('\n').find((line) => line.startsWith('CN=')) ?? null
}

/** The subject's DNS names and IP addresses, as written. */
function namesOf(leaf: X509Certificate): string[] {
  return leaf.subjectAltName?.match(/(?<=(?:DNS|IP Address):)[^,\s]+/g)?.slice() ?? []
}
