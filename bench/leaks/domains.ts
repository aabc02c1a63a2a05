import type { CheckResult } from '../../src/core/monitors/check.ts'
import { createDomainProbe } from '../../src/probes/domain.ts'
import { reachPublicHere } from '../../test/support/net/public-here.ts'
import { settingsFor, testNetwork } from '../../test/support/servers/targets-settings.ts'
import { DATED, type Rdap, startRegistries } from '../../test/support/sites/registries.ts'
import type { Scope } from '../support/scope.ts'

const DAY_MS = 86_400_000

/** The answers of a registry about a domain each, the friendly one first, with the verdict that they must get. */
const ANSWERS: [domain: string, rdap: Rdap, status: CheckResult['status'], cause: RegExp][] = [
  [
    'dated.com',
    { status: 200, body: { ...DATED, ldhName: 'DATED.COM' } },
    'up',
    /^registered until 2027-03-01$/,
  ],
  ['free.com', { status: 404 }, 'down', /is not registered/],
  ['broken.com', { status: 500 }, 'pending', /./],
  ['garbled.com', { status: 200, body: '<html>' }, 'pending', /./],
  ['endless.com', { status: 302, location: '/domain/endless.com' }, 'pending', /./],
  ['astray.com', { status: 302, location: 'http://169.254.169.254/' }, 'pending', /./],
]

/**
 * Checks of domains at registries of this thread: which names they have cannot be handed to another. A day passes between two
 * of them, so that each asks anew.
 */
export async function createDomainChecks(scope: Scope) {
  reachPublicHere()
  const rdap = Object.fromEntries(ANSWERS.map(([domain, answer]) => [`/domain/${domain}`, answer]))
  const { options, services } = await startRegistries(scope, rdap, { com: 'whois: whois.registry.example\n' })
  const network = testNetwork({ ...options, registries: async () => services })
  let days = 0
  const probe = createDomainProbe(
    network,
    () => new Date('2026-11-30T12:00:00Z'),
    () => ++days * DAY_MS,
  )
  const check = async (turn: number): Promise<string | null> => {
    const [domain, , status, cause] = ANSWERS[turn] ?? (ANSWERS[0] as (typeof ANSWERS)[number])
    const settings = settingsFor('domain', { url: `domain://${domain}`, request_timeout_seconds: 60 })
    const found = await probe(settings, new AbortController().signal)
    const words = found.errorMessage ?? found.note ?? 'nothing'
    return found.status === status && cause.test(words) ? null : `${domain}: ${found.status}, ${words}`
  }
  return { check, hostile: ANSWERS.length - 1 }
}
