import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DomainMemory, judgeDomain } from '../../../src/core/sites/domain/expiry.ts'
import { RdapServices, rdapAddress } from '../../../src/core/sites/domain/rdap.ts'
import shipped from '../../../src/core/sites/domain/rdap-services.json' with { type: 'json' }
import { registeredDomain } from '../../../src/core/sites/domain/registered-domain.ts'
import { lookAtDomain } from '../../../src/probes/sites/domain.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'
import { startWhoisServer } from '../../support/servers/whois-server.ts'
import { topLevelDomains } from '../../support/sites/top-level-domains.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

reachPublicHere()

const NEVER = new AbortController().signal
const SERVICES = RdapServices.parse(shipped)
/** Two labels, since some registries give out names below `co.` alone. */
const hostOf = (topLevel: string) => `www.shop.co.${topLevel}`
/** Possible answers of IANA and of the registry about a domain without RDAP, and the outcome of each. */
const WAYS = [
  {
    server: 'whois.registry.example',
    says: 'Expiry Date: 2027-05-06\n',
    expected: /^registered until 2027-05-06$/,
  },
  {
    server: 'whois.registry.example',
    says: 'Status: active\n',
    expected: /^The registry does not publish when it ends: enter the date by hand/,
  },
  { server: null, says: '', expected: /^The registry does not publish when it ends: enter the date by hand/ },
]

describe('every top-level domain', () => {
  const all = topLevelDomains()
  const asked = all.flatMap((topLevel) => {
    const found = registeredDomain(hostOf(topLevel))
    return found.kind === 'registered' ? [{ topLevel, domain: found.domain }] : []
  })
  const overRdap = asked.filter(({ topLevel, domain }) => rdapAddress(SERVICES, domain, topLevel) !== null)
  const others = asked.filter((one) => !overRdap.includes(one))

  test('has a registry that is asked, but for those that register nothing', () => {
    assert.ok(all.length > 1_400, `${all.length}`)
    assert.deepEqual(
      all.filter((topLevel) => !asked.some((one) => one.topLevel === topLevel)),
      ['arpa', 'onion'],
    )
    const known = new Set(SERVICES.services.flatMap(([names]) => names))
    assert.deepEqual(
      ['com', 'de', 'fr', 'uk', 'xn--p1ai'].filter((name) => !all.includes(name)),
      [],
    )
    assert.equal(overRdap.length, all.filter((name) => known.has(name) && name !== 'arpa').length)
  })

  test('has an address over RDAP that can be asked, where its registry has any', () => {
    for (const { topLevel, domain } of overRdap) {
      const url = new URL(rdapAddress(SERVICES, domain, topLevel) ?? '')
      assert.match(url.protocol, /^https?:$/, topLevel)
      assert.ok(url.pathname.endsWith(`/domain/${domain}`), url.href)
    }
  })

  test('without RDAP gives a date over WHOIS, or says that its registry publishes none', async (t) => {
    assert.ok(others.length > 200, `${others.length}`)
    const ways = others.map((one, index) => ({ ...one, ...(WAYS[index % WAYS.length] as (typeof WAYS)[0]) }))
    const answers = ways.flatMap(({ topLevel, domain, server, says }) => [
      [topLevel, `domain: ${topLevel.toUpperCase()}\n${server ? `whois: ${server}\n` : ''}status: ACTIVE\n`],
      ...['', '-T dn,ace ', '--show-handles '].map((option) => [`${option}${domain}`, says]),
      [`${domain}/e`, says],
    ])
    const registry = await startWhoisServer(t, Object.fromEntries(answers))
    const hostsFile = join(temporaryFolder(t), 'hosts')
    await writeFile(hostsFile, atPublicAddress('127.0.0.1 whois.iana.org whois.registry.example\n'))
    const network = testNetwork({ hostsFile, ports: { dns: 1, whois: registry.port } })
    for (const { topLevel, expected } of ways) {
      const found = await lookAtDomain(network, SERVICES, hostOf(topLevel), NEVER)
      const asked = { domain: found.domain ?? '', registration: found.registration, byHand: null }
      const now = new Date('2026-11-21T00:00:00Z')
      const look = judgeDomain(asked, DomainMemory.parse({}), now)
      assert.equal(look.status, 'up', topLevel)
      assert.match(look.cause ?? '', expected, topLevel)
      const byHand = judgeDomain({ ...asked, byHand: '2027-01-01' }, DomainMemory.parse({}), now)
      if (found.registration.kind === 'undated')
        assert.equal(byHand.cause, 'registered until 2027-01-01', topLevel)
    }
  })
})
