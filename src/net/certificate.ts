import type { KeyObject, X509Certificate } from 'node:crypto'
import net from 'node:net'
import type { TLSSocket } from 'node:tls'
import {
  certificateExpired,
  certificateForAnother,
  certificateForNoHost,
  certificateKeyWeak,
  certificateNotYetValid,
  certificateRefused,
  certificateSelfSigned,
  certificateUntrusted,
} from '../core/monitors/cause.ts'
import { countDays, daysRemaining } from '../core/monitors/certificate.ts'
import type { SeenCertificate } from '../core/monitors/check.ts'

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

export type PeerCertificate = SeenCertificate & { leaf: X509Certificate }

/** The leaf certificate of a finished handshake; null when the peer sent none. */
export function readCertificate(socket: TLSSocket): PeerCertificate | null {
  const leaf = socket.getPeerX509Certificate()
  if (!leaf) return null
  return {
    leaf,
    expiresAt: leaf.validToDate,
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
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
  const { leaf } = certificate
  const datesAreWrong = now < leaf.validFromDate || now > leaf.validToDate
  const faults = [
    datesAreWrong ? dateFault(certificate, now) : null,
    matchesHost(leaf, host) ? null : hostFault(leaf, host),
    verifyCode && !(datesAreWrong && isAboutDates(verifyCode)) ? chainFault(certificate, verifyCode) : null,
  ].filter((fault) => fault !== null)
  return faults.length > 0 ? faults.join('; ') : null
}

function dateFault({ leaf }: PeerCertificate, now: Date): string {
  const owner = ownerOf(leaf)
  if (now < leaf.validFromDate) return certificateNotYetValid(leaf.validFromDate, owner)
  const hours = Math.floor((now.getTime() - leaf.validToDate.getTime()) / HOUR_MS)
  const days = daysRemaining(now, leaf.validToDate)
  if (days > 0) return certificateExpired(countDays(days), owner)
  return certificateExpired(
    hours > 1 ? `${hours} hours` : hours === 1 ? '1 hour' : 'less than an hour',
    owner,
  )
}

/** Only alternative names count, never the common name, and partial wildcards do not match (RFC 9525). */
function matchesHost(leaf: X509Certificate, host: string): boolean {
  if (net.isIP(host)) return leaf.checkIP(host) !== undefined
  return leaf.checkHost(host, { subject: 'never', partialWildcards: false }) !== undefined
}

function hostFault(leaf: X509Certificate, host: string): string {
  const names = namesOf(leaf)
  return names.length > 0 ? certificateForAnother(names, host) : certificateForNoHost(commonNameOf(leaf))
}

function isAboutDates(verifyCode: unknown): boolean {
  return verifyCode === 'CERT_HAS_EXPIRED' || verifyCode === 'CERT_NOT_YET_VALID'
}

function chainFault({ leaf }: PeerCertificate, verifyCode: unknown): string {
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
