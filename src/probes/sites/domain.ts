import { REDIRECTS, redirectTarget } from '../../core/monitors/redirect.ts'
import { type RdapServices, rdapAddress, readRdap } from '../../core/sites/domain/rdap.ts'
import { registeredDomain } from '../../core/sites/domain/registered-domain.ts'
import type { Registration } from '../../core/sites/domain/registration.ts'
import {
  IANA_WHOIS,
  MAX_WHOIS_BYTES,
  readReferral,
  readWhois,
  whoisQuestion,
} from '../../core/sites/domain/whois.ts'
import { requestOnce } from '../../net/http-request.ts'
import type { Network } from '../../net/network.ts'
import { askWhois } from '../../net/whois.ts'
import { haveNameServers } from './zone.ts'

const RDAP_LIMIT_MS = 15_000
const MAX_RDAP_BYTES = 256 * 1_024
/** Registries pass questions on, at most to a registrar. */
const MAX_REDIRECTS = 4

export type DomainFound = { domain: string | null; registration: Registration }

/**
 * Asks the registry of a host's domain until when it is registered: over RDAP where there is such a server, over WHOIS where
 * there is none or it does not say. A domain is unregistered only if no source knows it, nor the DNS. Never throws.
 */
export async function lookAtDomain(
  network: Network,
  services: RdapServices,
  host: string,
  signal: AbortSignal,
): Promise<DomainFound> {
  const registered = registeredDomain(host)
  if (registered.kind === 'none') return { domain: null, registration: registered }
  const { domain, topLevel } = registered
  const address = rdapAddress(services, domain, topLevel)
  const byRdap = address === null ? null : await askRdap(network, address, domain, signal)
  if (byRdap?.kind === 'dated') return { domain, registration: byRdap }
  const byWhois = await askRegistry(network, domain, topLevel, signal)
  const registration = moreTelling(byRdap, byWhois)
  if (registration.kind !== 'unregistered') return { domain, registration }
  return { domain, registration: await doubtBy(network, domain, signal) }
}

/** A domain whose name servers answer is registered, whatever its registry says. */
async function doubtBy(network: Network, domain: string, signal: AbortSignal): Promise<Registration> {
  const answers = await haveNameServers(network, domain, signal)
  if (answers === false) return { kind: 'unregistered' }
  const why = answers === null ? 'our name servers do not answer about it' : 'its name servers answer'
  return unknown(`the registry does not know ${domain}, but ${why}`)
}

/**
 * The source of two that says more; a domain that one of them knows is registered. Null: there is no such source. A registry
 * that cannot be asked at all publishes nothing.
 */
function moreTelling(one: Registration | null, other: Registration | null): Registration {
  if (other === null) return one ?? { kind: 'undated', statuses: [] }
  if (one === null || other.kind === 'dated' || one.kind === 'unknown')
    return other.kind === 'unknown' && one !== null ? one : other
  if (one.kind === 'unregistered' && other.kind === 'undated') return other
  return one
}

async function askRdap(
  network: Network,
  address: string,
  domain: string,
  signal: AbortSignal,
): Promise<Registration> {
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const headers = { accept: 'application/rdap+json, application/json;q=0.9', 'user-agent': 'Upbeat' }
    const request = {
      kind: 'registry',
      url,
      headers,
      body: '',
      method: 'GET',
      maxBytes: MAX_RDAP_BYTES,
    } as const
    const answer = await requestOnce(network, request, RDAP_LIMIT_MS, signal)
    if (answer.kind === 'failed') return unknown(`the registry could not be asked: ${answer.reason}`)
    if (!REDIRECTS.includes(answer.statusCode)) return readRdap(answer, domain)
    const next = redirectTarget(answer.headers.location ?? '', new URL(url))
    if (!next) return unknown('the registry passes the question to nowhere')
    url = next.href
  }
  return unknown('the registry passes the question on and on')
}

/** Null where IANA knows of no WHOIS server. */
async function askRegistry(
  network: Network,
  domain: string,
  topLevel: string,
  signal: AbortSignal,
): Promise<Registration | null> {
  const ask = (server: string, question: string) =>
    askWhois(network, { server, question, maxBytes: MAX_WHOIS_BYTES }, signal)
  const root = await ask(IANA_WHOIS, `${topLevel}\r\n`)
  if (root.kind === 'failed') return unknown(`the registry could not be asked: ${root.reason}`)
  const server = readReferral(root.text)
  if (server === null) return null
  const answer = await ask(server, whoisQuestion(domain, topLevel))
  if (answer.kind === 'failed') return unknown(`the registry could not be asked: ${answer.reason}`)
  return readWhois(answer.text)
}

function unknown(reason: string): Registration {
  return { kind: 'unknown', reason }
}
