import { reachPublicHere } from '../support/net/public-here.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import { DATED, type Rdap, startRegistries, WHOIS } from '../support/sites/registries.ts'
import type { Case, Group } from './case.ts'

reachPublicHere()

const DAY_MS = 86_400_000
const endingIn = (days: number): Rdap => ({
  status: 200,
  body: {
    ...DATED,
    events: [
      { eventAction: 'expiration', eventDate: new Date(Date.now() + (days + 0.5) * DAY_MS).toISOString() },
    ],
  },
})
const UNDATED: Rdap = { status: 200, body: { ldhName: 'shop.com' } }

/** A check of `www.shop.com`, whose registry says this. */
function of(
  name: string,
  [status, cause]: [Case['status'], string | null],
  rdap: Rdap,
  whois: Record<string, string> = WHOIS,
): Case {
  return {
    ...{ name, type: 'domain', status, cause },
    start: async (scope) => {
      const { options, services } = await startRegistries(scope, { '/domain/shop.com': rdap }, whois)
      return {
        settings: { url: 'domain://www.shop.com' },
        network: testNetwork({ ...options, registries: async () => services }),
      }
    },
  }
}

/** Checks of the type `domain`. Their registries are those of the look-ups of sites. */
export const registrations: Group = {
  title: 'Registrations of domains',
  cases: [
    of(
      'The registration ends within the days of the warning',
      ['degraded', 'the registration of shop.com ends on <day>, in 12 days'],
      endingIn(12),
    ),
    of('The registration has ended', ['down', 'the registration of shop.com ended on <day>'], endingIn(-2)),
    of(
      'Nobody knows the domain',
      ['down', 'shop.com is not registered'],
      { status: 404 },
      {
        ...WHOIS,
        'shop.com': 'No match for "SHOP.COM".',
      },
    ),
    of('The registry publishes no date', ['up', null], UNDATED, {
      ...WHOIS,
      'shop.com': 'Domain: shop.com\n',
    }),
    {
      ...{ name: 'The name has no registration', type: 'domain', status: 'down' },
      cause: 'the name printer.local is private, so that it has no registration',
      start: async () => ({ settings: { url: 'domain://printer.local' } }),
    },
    of(
      'The registry is in trouble',
      ['pending', 'the registry answered 503'],
      { status: 503 },
      { com: WHOIS.com },
    ),
  ],
}
