import * as z from 'zod'
import type { Registration } from './registration.ts'
import { readDate } from './written-date.ts'

const MAX_SERVICES = 5_000
const MAX_STATUSES = 20

/** The file of IANA that names the RDAP servers of top-level domains (RFC 9224). */
export const RdapServices = z.object({
  publication: z.iso.datetime({ offset: true }),
  services: z
    .array(z.tuple([z.array(z.string().max(63)).min(1), z.array(z.url({ protocol: /^https?$/ })).min(1)]))
    .min(1)
    .max(MAX_SERVICES),
})
export type RdapServices = z.infer<typeof RdapServices>

export const RDAP_SERVICES_URL = 'https://data.iana.org/rdap/dns.json'
/** Fewer top-level domains than this are no list of all, but a broken one. */
const MIN_TOP_LEVELS = 1_000

/** Null for a file that must not replace the one in use: unreadable, older, or much too short. */
export function acceptServices(text: string, known: RdapServices): RdapServices | null {
  const parsed = RdapServices.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { publication, services } = parsed.data
  const isNewer = Date.parse(publication) >= Date.parse(known.publication)
  const topLevels = services.reduce((sum, [names]) => sum + names.length, 0)
  return isNewer && topLevels >= MIN_TOP_LEVELS ? parsed.data : null
}

/** The address to ask for a domain (RFC 9082, section 3.1.3); null where its registry has no RDAP. Prefers TLS. */
export function rdapAddress({ services }: RdapServices, domain: string, topLevel: string): string | null {
  const [, bases] = services.find(([names]) => names.includes(topLevel)) ?? []
  const base = bases?.find((url) => url.startsWith('https:')) ?? bases?.[0]
  if (base === undefined) return null
  return `${base}${base.endsWith('/') ? '' : '/'}domain/${domain}`
}

/** An answer is read leniently: registries differ in all that is not needed here. */
const Answer = z.object({
  ldhName: z.string().optional(),
  events: z
    .array(z.object({ eventAction: z.string(), eventDate: z.string() }).partial())
    .catch([])
    .default([]),
  status: z.array(z.string()).catch([]).default([]),
})

/** The words for the end, by weight. Iceland and Kyrgyzstan have words of their own (RFC 9083 knows the first alone). */
const EXPIRATIONS = ['expiration', 'record expires', 'soft expiration', 'registrar expiration'] as const

/** Reads what an RDAP server answered about a domain (RFC 9083). */
export function readRdap(answer: { statusCode: number; body: string }, domain: string): Registration {
  const { statusCode, body } = answer
  if (statusCode === 404) return { kind: 'unregistered' }
  if (statusCode !== 200) return { kind: 'unknown', reason: `the registry answered ${statusCode}` }
  const parsed = Answer.safeParse(parseJson(body))
  if (!parsed.success) return { kind: 'unknown', reason: 'the answer of the registry is not RDAP' }
  const { ldhName, events, status } = parsed.data
  if (ldhName !== undefined && ldhName.toLowerCase().replace(/\.$/, '') !== domain)
    return { kind: 'unknown', reason: 'the registry answered about another domain' }
  const statuses = status.slice(0, MAX_STATUSES)
  for (const action of EXPIRATIONS) {
    const text = events.find(({ eventAction }) => eventAction?.toLowerCase() === action)?.eventDate
    const expiresAt = text === undefined ? null : readDate(text)
    if (expiresAt) return { kind: 'dated', expiresAt, statuses }
  }
  return { kind: 'undated', statuses }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
