import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { PrivateTargets } from '../../../src/net/address-policy.ts'
import { createNetwork } from '../../../src/net/network.ts'
import { lookAtDns } from '../../../src/probes/sites/dns.ts'
import { lookAtDomain } from '../../../src/probes/sites/domain.ts'
import { findZone } from '../../../src/probes/sites/zone.ts'
import { PUBLIC, REFUSED } from '../../support/net/address-matrix.ts'
import { literalHostOf, namesOf, REACHED, watchDials } from '../../support/net/dialed.ts'
import { type Reply, startDnsServer } from '../../support/servers/dns-server.ts'
import { startReceiver } from '../../support/servers/receivers.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'
import { startWhoisServer } from '../../support/servers/whois-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NEVER = new AbortController().signal
const REGISTRIES = ['whois.iana.org', 'rdap.registry.example', 'whois.registry.example']

async function startWorld(
  t: TestContext,
  policy: PrivateTargets,
  /** In addition to the registries and the name of each address. */
  replies: Record<string, Reply> = {},
) {
  const names = namesOf(REFUSED[policy])
  const resolver = await startDnsServer(t, {
    ...Object.fromEntries(REGISTRIES.map((name) => [name, [REACHED]])),
    ...Object.fromEntries(names.map(({ name, address }) => [name, [address]])),
    ...replies,
  })
  return { names, resolver, network: { privateTargets: policy, nameServers: [resolver.address] } }
}

const refusedOf = (found: Awaited<ReturnType<typeof lookAtDomain>>) =>
  found.registration.kind === 'unknown' ? found.registration.reason : found.registration.kind
const REFUSAL = /address .* (?:is not allowed|never answers)/
const servicesAt = (base: string) => ({
  publication: '2026-01-01T00:00:00Z',
  services: [[['com'], [base]]] as [string[], string[]][],
})

for (const policy of ['deny', 'allow'] as const)
  describe(`with private targets at ${policy}, no address that is refused is dialled`, () => {
    test('over RDAP, by its base address or a redirect', async (t) => {
      const dialed = watchDials(t)
      const { names, network } = await startWorld(t, policy, { 'whois.iana.org': 'NXDOMAIN' })
      let next = ''
      const registry = await startReceiver(t, (response) => response.writeHead(302, { location: next }).end())
      const { port } = new URL(registry.url)
      for (const { name, address } of names) {
        for (const host of [name, literalHostOf(address)].filter((one) => one !== null)) {
          const target = `http://${host}:${port}/`
          const direct = await lookAtDomain(testNetwork(network), servicesAt(target), 'shop.com', NEVER)
          assert.match(refusedOf(direct), REFUSAL, target)
          next = `${target}domain/shop.com`
          const base = `http://rdap.registry.example:${port}/`
          const redirected = await lookAtDomain(testNetwork(network), servicesAt(base), 'shop.com', NEVER)
          assert.match(refusedOf(redirected), REFUSAL, target)
        }
      }
      assert.deepEqual([...dialed], [REACHED])
      assert.ok(registry.requests.length >= names.length)
    })

    test('over WHOIS, by the server of IANA or the one that it names', async (t) => {
      const dialed = watchDials(t)
      const { names, network } = await startWorld(t, policy)
      const answers: Record<string, string> = {}
      const server = await startWhoisServer(t, answers)
      const ports = { dns: 1, whois: server.port }
      const hostsFile = join(temporaryFolder(t), 'hosts')
      for (const { name, address } of names) {
        for (const host of [name, address]) {
          answers.com = `domain: COM\nwhois: ${host}\n`
          const named = await lookAtDomain(
            testNetwork({ ...network, ports }),
            servicesAt('http://unknown.invalid/'),
            'shop.com',
            NEVER,
          )
          assert.ok(!['dated', 'unregistered'].includes(named.registration.kind), host)
        }
        await writeFile(hostsFile, `${address} whois.iana.org\n`)
        const options = { ...network, ports, hostsFile }
        await lookAtDomain(
          testNetwork(options),
          { ...servicesAt('http://a.example/'), services: [] },
          'shop.com',
          NEVER,
        )
      }
      assert.deepEqual([...dialed], [REACHED])
      assert.ok(server.questions.length >= 2 * names.length)
      assert.deepEqual(new Set(server.questions), new Set(['com']))
    })

    test('over DNS, at a name server of a zone', async (t) => {
      const zone = { 'shop.com': { ns: ['n.elsewhere.example'], mx: ['mail.shop.com'] } }
      const own = await startDnsServer(t, zone)
      const [, port] = own.address.split(':')
      const replies: Record<string, Reply> = { ...zone }
      const { names, network } = await startWorld(t, policy, replies)
      const resolver = await startDnsServer(t, replies)
      const options = {
        privateTargets: policy,
        nameServers: [resolver.address],
        ports: { dns: Number(port), whois: 1 },
      }
      for (const { address } of names) {
        replies['n.elsewhere.example'] = [address]
        const found = await findZone(testNetwork(options), 'www.shop.com', NEVER)
        assert.ok(found.kind === 'found')
        assert.deepEqual(found.servers, [{ name: 'n.elsewhere.example', address: null }], address)
      }
      replies['n.elsewhere.example'] = names.map(({ address }) => address)
      const look = await lookAtDns(createNetwork({ ...options, hostsFile: '/nowhere' }), 'shop.com', NEVER)
      assert.deepEqual(look.kind === 'answered' && look.sets.mx, ['10 mail.shop.com'])
      assert.deepEqual(own.questions, [])
      replies['n.elsewhere.example'] = [PUBLIC[0] as string]
      const reachable = await findZone(testNetwork(options), 'shop.com', NEVER)
      assert.ok(reachable.kind === 'found' && reachable.servers[0]?.address, 'a public one is asked')
      assert.equal(network.privateTargets, policy)
    })
  })
