import * as z from 'zod'
import { formatInstant, Instant } from '../instant.ts'
import { countDays, daysRemaining } from '../monitors/certificate.ts'
import type { AreaLook } from './area-look.ts'
import { ShownCertificate } from './shown-site.ts'

/** Days before the end of a certificate at which a warning goes out, each once. */
export const CERTIFICATE_WARN_DAYS = [14, 7, 3, 1] as const
export const MAX_CHAIN = 10
/** The certificates of one name: every machine behind a balancer may have its own. */
const MAX_KNOWN = 32
const DAY_MS = 86_400_000

/** Authorities that a site had of late; with several servers behind its name it may have more than one. */
const MAX_ISSUERS = 8
/** Looks that see another issuer are about this far apart. */
const CONFIRM_ISSUER_MS = 4.5 * 60_000

/** A certificate that was shown before. `warned`: the last of CERTIFICATE_WARN_DAYS that a warning went out for. */
const KnownCertificate = z.object({
  fingerprint: z.string(),
  issuer: z.string(),
  expires_at: z.string(),
  warned: z.int().nullable(),
})
type KnownCertificate = z.infer<typeof KnownCertificate>

/**
 * `warned`: of the certificate of the chain, which is all that the release before knows. `issuers`: those that are no news, the
 * latest last. `new_issuer`: one that a single look has seen.
 */
export const CertificateMemory = z.object({
  chain: z.array(ShownCertificate).default([]),
  warned: z.int().nullable().default(null),
  known: z.array(KnownCertificate).default([]),
  changed_at: Instant.nullable().default(null),
  issuers: z.array(z.string()).default([]),
  new_issuer: z.object({ name: z.string(), since: Instant }).nullable().default(null),
})
export type CertificateMemory = z.infer<typeof CertificateMemory>

export type CertificateLook =
  /** A trusted chain that is good for the host, the leaf first. */
  | { kind: 'valid'; chain: ShownCertificate[] }
  /** The server shows one that browsers refuse. */
  | { kind: 'refused'; reason: string; chain: ShownCertificate[] }
  /** The site has no certificate: its address is not secure. */
  | { kind: 'none' }
  /** Trouble of ours, or no connection, which the home page tells. */
  | { kind: 'unknown'; reason: string }

/** Judges a look at the certificate of a site. */
export function judgeCertificate(
  look: CertificateLook,
  before: CertificateMemory,
  now: Date,
): AreaLook<CertificateMemory> {
  switch (look.kind) {
    case 'unknown':
      return { status: 'pending', cause: look.reason, memory: before, warning: null }
    case 'none': {
      const cause = 'the address begins with http: and has no certificate'
      return { status: 'up', cause, memory: CertificateMemory.parse({}), warning: null }
    }
    case 'refused': {
      const chain = look.chain.length > 0 ? look.chain : before.chain
      const memory = { ...before, chain, warned: null }
      return { status: 'down', cause: look.reason, memory, warning: null }
    }
    case 'valid':
      return judgeChain(look.chain, before, now)
  }
}

function judgeChain(
  chain: ShownCertificate[],
  before: CertificateMemory,
  now: Date,
): AreaLook<CertificateMemory> {
  const [leaf] = chain
  if (!leaf) return { status: 'pending', cause: null, memory: before, warning: null }
  const [last] = before.chain
  const known = stillValid(before, now)
  const same = known.find(({ fingerprint }) => fingerprint === leaf.fingerprint)
  const isOther = last !== undefined && same === undefined
  const { issuers, new_issuer, change } = judgeIssuer(leaf.issuer, before, known, now)
  const isDoubted = new_issuer?.name === leaf.issuer
  const told = { issuer: isDoubted ? null : change, doubt: isDoubted ? change : null }
  const expiresAt = new Date(leaf.expires_at)
  const leftMs = expiresAt.getTime() - now.getTime()
  const due = CERTIFICATE_WARN_DAYS.findLast((days) => leftMs <= days * DAY_MS) ?? null
  const memory: CertificateMemory = {
    chain: chain.slice(0, MAX_CHAIN),
    warned: due,
    known: [...known.filter((one) => one !== same), { ...asKnown(leaf), warned: due }].slice(-MAX_KNOWN),
    changed_at: isOther ? formatInstant(now) : before.changed_at,
    issuers,
    new_issuer,
  }
  const day = leaf.expires_at.slice(0, 10)
  if (due === null) {
    const cause = `${isOther ? 'renewed: ' : ''}valid until ${day}, issued by ${leaf.issuer}`
    return { status: 'up', cause, memory, warning: told.issuer, doubt: told.doubt }
  }
  const days = countDays(Math.max(0, daysRemaining(expiresAt, now)))
  const cause = `the certificate expires on ${day}, in ${days}`
  const warned = same?.warned ?? null
  const isNew = warned === null || due < warned
  const warnings = [isNew ? cause : null, told.issuer].filter((text) => text !== null)
  return {
    status: 'degraded',
    cause,
    memory,
    warning: warnings.length > 0 ? warnings.join('; ') : null,
    doubt: told.doubt,
  }
}

/** Certificates that were shown before and have not expired. The release before remembers the last one only. */
function stillValid({ known, chain: [last], warned }: CertificateMemory, now: Date): KnownCertificate[] {
  const all =
    !last || known.some(({ fingerprint }) => fingerprint === last.fingerprint)
      ? known
      : [...known, { ...asKnown(last), warned }]
  return all.filter((one) => one.fingerprint === last?.fingerprint || new Date(one.expires_at) > now)
}

function asKnown({ fingerprint, issuer, expires_at }: ShownCertificate) {
  return { fingerprint, issuer, expires_at }
}

/**
 * Another issuer is news once two looks have seen it, within a day and with others between: one may have met a server that is
 * set up otherwise. `change` says it; while `new_issuer` names it, it is not certain.
 */
function judgeIssuer(
  issuer: string,
  before: CertificateMemory,
  known: readonly KnownCertificate[],
  now: Date,
) {
  const issuers = before.issuers.length > 0 ? before.issuers : [...new Set(known.map((one) => one.issuer))]
  const last = issuers.at(-1)
  if (last === undefined || issuers.includes(issuer)) {
    const latest = [...issuers.filter((name) => name !== issuer), issuer]
    const isOld = before.new_issuer !== null && now.getTime() - Date.parse(before.new_issuer.since) > DAY_MS
    return { issuers: latest, new_issuer: isOld ? null : before.new_issuer, change: null }
  }
  const change = `the certificate has another issuer: ${issuer}, before ${last}`
  const since = before.new_issuer?.name === issuer ? before.new_issuer.since : formatInstant(now)
  if (now.getTime() - Date.parse(since) < CONFIRM_ISSUER_MS)
    return { issuers, new_issuer: { name: issuer, since }, change }
  return { issuers: [...issuers, issuer].slice(-MAX_ISSUERS), new_issuer: null, change }
}
