import assert from 'node:assert/strict'
import net from 'node:net'
import { describe, test } from 'node:test'
import { addressRefusal, blockListOf, literalRefusal } from '../../src/net/address-policy.ts'

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.42.42',
  '169.254.0.23',
  '169.254.1.1',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:42::42',
  'fd20:ce::254',
  'fd00:a9fe:a9fe::1',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'fe80::1%eth0',
  'febf:ffff::1',
]
/** The same behind all that says of an IPv6 address that an IPv4 one is in it. */
const METADATA_WITHIN = [
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.42.42',
  '::ffff:0:169.254.0.23',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::6464:64c8',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1:a9:fe:a9fe::',
  '64:ff9b:1::a9:fea9:fe00:0',
  '64:ff9b:1:ffff:ffff:ffff:a83f:8110',
  '2002:a9fe:a9fe::1',
  '2002:a9fe:2a2a:1::1',
  '2001:0:a9fe:a9fe::1',
  '2001::5601:5601',
  '2a00:1450::5efe:a9fe:a9fe',
  'fd00::200:5efe:a9fe:2a2a',
  'fd00:64::a9fe:a9fe',
  '2a00:1450:64::a9fe:2a2a',
  'fd00:c1::a9fe:a9fe',
]
const PRIVATE = [
  '10.0.0.5',
  '100.64.0.1',
  '100.100.100.201',
  '127.0.0.1',
  '172.16.0.1',
  '192.0.0.191',
  '192.168.1.1',
  '198.18.0.1',
  '::1',
  '::127.0.0.1',
  '::10.0.0.5',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:0:10.0.0.5',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:5',
  '64:ff9b:2::1',
  '100::1',
  '100:0:0:1::1',
  '200::1',
  '400::1',
  '1fff::1',
  '2001::1',
  '2001:1ff::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2a00:1450::5efe:10.0.0.5',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'fc00::1',
  'fd00:42::43',
  'fe00::1',
  'fec0::1',
]
const NEVER_ANSWERING: [address: string, kind: string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['ff02::1', 'multicast'],
  ['::ffff:224.0.0.1', 'multicast'],
]
const PUBLIC = [
  '203.0.114.7',
  '8.8.8.8',
  '168.63.129.17',
  '172.32.0.1',
  '2000::1',
  '2001:200::1',
  '2606:4700::1111',
  '2a00:1450::5efe:8.8.8.8',
  '2a00:1450:4001::a00:5',
  '3ffe::1',
  '::ffff:8.8.8.8',
]

describe('the address policy', () => {
  test('never allows what clouds answer their guests from, in any spelling', () => {
    for (const address of [...METADATA, ...METADATA_WITHIN]) {
      assert.equal(addressRefusal('allow', address), `address ${address} is not allowed`)
      assert.equal(addressRefusal('deny', address), `address ${address} is not allowed`)
    }
  })

  test('allows private addresses unless they are denied', () => {
    for (const address of PRIVATE) {
      assert.equal(addressRefusal('allow', address), null, address)
      assert.equal(addressRefusal('deny', address), `address ${address} is not allowed`)
    }
  })

  test('never allows what cannot answer, and says what it is', () => {
    for (const [address, kind] of NEVER_ANSWERING) {
      for (const policy of ['allow', 'deny'] as const) {
        assert.equal(addressRefusal(policy, address), `address ${address} never answers (${kind})`)
      }
    }
    assert.equal(literalRefusal('allow', 'http://224.0.0.1/'), 'address 224.0.0.1 never answers (multicast)')
    assert.equal(literalRefusal('allow', 'tcp://0:80'), 'address 0.0.0.0 never answers (unspecified)')
  })

  test('always allows public addresses', () => {
    for (const address of PUBLIC) {
      assert.equal(addressRefusal('allow', address), null, address)
      assert.equal(addressRefusal('deny', address), null, address)
    }
  })

  test('refuses what is no address', () => {
    assert.notEqual(addressRefusal('allow', 'example.com'), null)
  })

  test('judges addresses written in URLs of any scheme, and no names', () => {
    const urls: [url: string, refused: string | null][] = [
      ['http://10.0.0.5/', '10.0.0.5'],
      ['http://127.1/', '127.0.0.1'],
      ['tcp://0177.0.0.1:80', '127.0.0.1'],
      ['icmp://0x7f000001', '127.0.0.1'],
      ['http://[::1]:8080/', '::1'],
      ['tcp://[::ffff:10.0.0.1]', '::ffff:a00:1'],
      ['http://8.8.8.8/', null],
      ['http://localhost/', null],
      ['http://example.com/', null],
      ['not a URL', null],
    ]
    for (const [url, refused] of urls) {
      assert.equal(literalRefusal('deny', url), refused && `address ${refused} is not allowed`, url)
    }
    assert.equal(literalRefusal('allow', 'http://127.0.0.1/'), null)
    assert.notEqual(literalRefusal('allow', 'tcp://169.254.169.254:80'), null)
  })

  test('has a second lock that never bars a public address', () => {
    for (const policy of ['allow', 'deny'] as const) {
      const blocked = blockListOf(policy)
      const isBlocked = (address: string) => blocked.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4')
      for (const address of PUBLIC) assert.equal(isBlocked(address), false, address)
      for (const address of METADATA.filter((each) => !each.includes('%'))) {
        assert.equal(isBlocked(address), true, address)
      }
      assert.equal(isBlocked('::ffff:169.254.169.254'), true)
      for (const address of ['127.0.0.1', '::1', '::127.0.0.1', '200::1', '4000::1', 'fd00::1']) {
        assert.equal(isBlocked(address), policy === 'deny', address)
      }
    }
  })
})
