import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientBehind, clientNetwork, type TrustedProxies } from '../../src/core/client-address.ts'
import { FORWARDED, PEER } from '../support/net/forwarded-headers.ts'

const PROXY = '10.0.0.1'

describe('what proxies say about a client', () => {
  for (const hops of [0, 1, 2, 3]) {
    it(`is read from the right, an entry for each of ${hops} hops, and never past one that names nobody`, () => {
      for (const { header, clients } of FORWARDED) {
        // Node joins the lines of a header so.
        const joined = Array.isArray(header) ? header.join(', ') : header
        const { address, unnamed = false } = clients[hops] ?? { address: PEER }
        assert.deepEqual(
          clientBehind({ hops })(PROXY, joined),
          { address: address === PEER ? PROXY : address, isKnown: !unnamed },
          joined,
        )
      }
    })
  }

  const networks = { networks: ['10.0.0.0/8', '2001:db8:1::/48'] }
  const table: [
    name: string,
    trusted: TrustedProxies,
    peer: string,
    header: string | undefined,
    address: string,
    isKnown: boolean,
  ][] = [
    ['the peer, where nobody is trusted', null, PROXY, '203.0.113.7', PROXY, true],
    ['a proxy that says nothing', { hops: 1 }, PROXY, undefined, PROXY, false],
    ['a proxy of a trusted network that says nothing', networks, PROXY, undefined, PROXY, false],
    ['the last that is known, when all are proxies', { hops: 5 }, PROXY, '203.0.113.7', '203.0.113.7', true],
    ['IPv4 in the clothes of IPv6', null, '::ffff:203.0.113.7', undefined, '203.0.113.7', true],
    ['without the name of an interface', null, 'fe80::1%eth0', undefined, 'fe80::1', true],
    ['the first that is no proxy', networks, PROXY, '203.0.113.7, 10.9.9.9', '203.0.113.7', true],
    [
      'behind proxies of both families',
      networks,
      '::ffff:10.0.0.1',
      '192.0.2.1, [2001:db8:1::5]:80',
      '192.0.2.1',
      true,
    ],
    ['the peer, when it is no proxy', { networks: ['192.0.2.0/24'] }, PROXY, '203.0.113.7', PROXY, true],
    ['a proxy that names nobody', networks, PROXY, '203.0.113.7, unix:, 10.9.9.9', '10.9.9.9', false],
    ['no peer that has gone', networks, '', '203.0.113.7', '', true],
  ]
  for (const [name, trusted, peer, header, address, isKnown] of table) {
    it(`is ${name}`, () => {
      assert.deepEqual(clientBehind(trusted)(peer, header), { address, isKnown })
    })
  }

  it('is read no further than a hundred entries', () => {
    const trusted = { networks: ['10.0.0.0/8'] }
    const chain = (length: number) => ['203.0.113.7', ...Array<string>(length).fill(PROXY)].join(',')
    assert.deepEqual(clientBehind(trusted)(PROXY, chain(99)), { address: '203.0.113.7', isKnown: true })
    assert.deepEqual(clientBehind(trusted)(PROXY, chain(10_000)), { address: PROXY, isKnown: false })
    assert.deepEqual(clientBehind({ hops: 2 })(PROXY, chain(10_000)), { address: PROXY, isKnown: true })
  })
})

describe('addresses that limits count as one client', () => {
  const table: [address: string, network: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ]
  for (const [address, network] of table) {
    it(`${address || 'no address'} is one of ${network || 'none'}`, () =>
      assert.equal(clientNetwork(address), network))
  }
})
