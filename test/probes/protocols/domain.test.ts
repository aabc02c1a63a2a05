import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createDomainProbe } from '../../../src/probes/domain.ts'
import { reachPublicHere } from '../../support/net/public-here.ts'
import { settingsFor, testNetwork } from '../../support/servers/targets-settings.ts'
import { DATED, type Rdap, startRegistries } from '../../support/sites/registries.ts'

reachPublicHere()

const NEVER = new AbortController().signal
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const AT = '/domain/shop.com'
const BEGUN_MS = Date.parse('2026-11-30T12:00:00Z')
/** The WHOIS server of the registry hangs up, so that RDAP alone says something. */
const NO_WHOIS = { com: 'whois: whois.registry.example\n' }

const endingIn = (days: number): Rdap => ({
  status: 200,
  body: {
    ...DATED,
    events: [
      { eventAction: 'expiration', eventDate: new Date(BEGUN_MS + (days + 0.5) * DAY_MS).toISOString() },
    ],
  },
})

/** A probe with a clock that the test turns, at a registry whose word can be changed. */
async function startProbe(t: TestContext, word: Rdap, names?: Parameters<typeof startRegistries>[3]) {
  const rdap: Record<string, Rdap> = { [AT]: word }
  const { options, services, registry } = await startRegistries(t, rdap, NO_WHOIS, names)
  let passedMs = 0
  const now = () => new Date(BEGUN_MS + passedMs)
  const network = testNetwork({ ...options, now, registries: async () => services })
  const probe = createDomainProbe(network, now, () => passedMs)
  const check = async (options: { warning_days?: number } = {}, url = 'domain://www.shop.com') => {
    const { status, errorMessage, note, responseTimeMs, unmet } = await probe(
      settingsFor('domain', { url, options, request_timeout_seconds: 60 }),
      NEVER,
    )
    return { said: [status, errorMessage ?? note ?? null], responseTimeMs, unmet }
  }
  return {
    check,
    says: (next: Rdap) => {
      rdap[AT] = next
    },
    pass: (ms: number) => {
      passedMs += ms
    },
    asked: () => registry.requests.length,
  }
}

const UNTIL = ['up', 'registered until 2027-03-31']

describe('a domain check', () => {
  it('asks the registry once for many checks, and again after a day', async (t) => {
    const { check, pass, asked, says } = await startProbe(t, endingIn(120))
    const first = await check()
    assert.deepEqual([first.said, typeof first.responseTimeMs], [UNTIL, 'number'])
    const [another, ofApex] = await Promise.all([check(), check({}, 'domain://SHOP.com')])
    assert.deepEqual([another.said, ofApex.said, another.responseTimeMs, asked()], [UNTIL, UNTIL, null, 1])
    says(endingIn(485))
    pass(DAY_MS - 1)
    assert.deepEqual([(await check()).said, asked()], [UNTIL, 1])
    pass(1)
    assert.deepEqual([(await check()).said, asked()], [['up', 'registered until 2028-03-30'], 2])
  })

  it('asks about several domains of a registry one after the other', async (t) => {
    const { check, asked } = await startProbe(t, endingIn(120))
    const all = await Promise.all([check(), check(), check({}, 'domain://other.com'), check()])
    assert.deepEqual(
      all.map(({ said }) => said[0]),
      ['up', 'up', 'pending', 'up'],
    )
    assert.equal(asked(), 2)
  })

  it('warns by the days of each monitor, as time goes by, and asks more often then', async (t) => {
    const { check, pass, asked, says } = await startProbe(t, endingIn(40))
    assert.deepEqual((await check()).said[0], 'up')
    const warned = await check({ warning_days: 45 })
    assert.deepEqual(
      [warned.said, warned.unmet],
      [['degraded', 'the registration of shop.com ends on 2027-01-10, in 40 days'], true],
    )
    assert.equal(asked(), 1)
    pass(11 * DAY_MS)
    assert.deepEqual((await check()).said, [
      'degraded',
      'the registration of shop.com ends on 2027-01-10, in 29 days',
    ])
    assert.equal(asked(), 2)
    says(endingIn(405))
    pass(HOUR_MS)
    assert.deepEqual([(await check()).said, asked()], [['up', 'registered until 2028-01-10'], 3])
  })

  it('is down once the registration has ended, though nobody was asked since, and asks soon again', async (t) => {
    const { check, pass, asked, says } = await startProbe(t, endingIn(0))
    assert.equal((await check()).said[0], 'degraded')
    pass(13 * HOUR_MS)
    const ended = await check()
    assert.deepEqual(
      [ended.said, ended.unmet],
      [['down', 'the registration of shop.com ended on 2026-12-01'], undefined],
    )
    says(endingIn(365))
    pass(5 * MINUTE_MS)
    assert.deepEqual([(await check()).said, asked()], [['up', 'registered until 2027-12-01'], 3])
  })

  it('is pending while the registry is in trouble, which is asked less and less often', async (t) => {
    const { check, pass, asked } = await startProbe(t, { status: 429 })
    const pending = ['pending', 'the registry answered 429']
    assert.deepEqual([(await check()).said, (await check()).said, asked()], [pending, pending, 1])
    const times: number[] = []
    for (const minutes of [5, 5, 5, 20, 40, 59, 1]) {
      pass(minutes * MINUTE_MS)
      assert.deepEqual((await check()).said, pending)
      times.push(asked())
    }
    assert.deepEqual(times, [2, 2, 3, 4, 5, 5, 6])
  })

  it('goes by the date that it knows while the registry is in trouble, until that has come', async (t) => {
    const { check, pass, says } = await startProbe(t, endingIn(2))
    assert.equal((await check()).said[0], 'degraded')
    says({ status: 503 })
    pass(DAY_MS)
    assert.deepEqual((await check()).said, [
      'degraded',
      'the registration of shop.com ends on 2026-12-03, in 1 day',
    ])
    pass(2 * DAY_MS)
    assert.equal((await check()).said[0], 'pending')
  })

  it('does not believe an earlier date than the known one at the first sight', async (t) => {
    const { check, pass, says } = await startProbe(t, endingIn(120))
    await check()
    says(endingIn(-3))
    pass(DAY_MS)
    assert.deepEqual((await check()).said, UNTIL)
    pass(HOUR_MS)
    assert.deepEqual((await check()).said, ['down', 'the registration of shop.com ended on 2026-11-28'])
  })

  it('keeps nothing of a question that was cut short', async (t) => {
    const { options, services, registry } = await startRegistries(t, { [AT]: endingIn(120) })
    const network = testNetwork({ ...options, registries: async () => services })
    const probe = createDomainProbe(network, () => new Date(BEGUN_MS))
    const settings = settingsFor('domain', { url: 'domain://shop.com', request_timeout_seconds: 60 })
    const stop = new AbortController()
    const cut = probe(settings, stop.signal)
    stop.abort()
    assert.equal((await cut).status, 'pending')
    assert.equal((await probe(settings, NEVER)).status, 'up')
    assert.ok(registry.requests.length >= 1)
  })
})
