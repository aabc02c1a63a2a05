import assert from 'node:assert/strict'
import net from 'node:net'
import { describe, test } from 'node:test'
import { addressRefusal, blockListOf, policyOf, writtenRefusal } from '../../src/net/address-policy.ts'
import { METADATA, METADATA_WITHIN, NEVER_ANSWERING, PRIVATE, PUBLIC } from '../support/net/address-matrix.ts'

/** A member gives the address: the setting is about members. */
const allow = policyOf('check', 'allow')
const deny = policyOf('check', 'deny')

describe('the address policy', () => {
  test('never allows what clouds answer their guests from, in any spelling', () => {
    for (const address of [...METADATA, ...METADATA_WITHIN]) {
      assert.equal(addressRefusal(allow, address), `address ${address} is not allowed`)
      assert.equal(addressRefusal(deny, address), `address ${address} is not allowed`)
    }
  })

  test('allows private addresses unless they are denied', () => {
    for (const address of PRIVATE) {
      assert.equal(addressRefusal(allow, address), null, address)
      assert.equal(addressRefusal(deny, address), `address ${address} is not allowed`)
    }
  })

  test('never allows what cannot answer, and says what it is', () => {
    for (const [address, kind] of NEVER_ANSWERING) {
      for (const policy of [allow, deny]) {
        assert.equal(addressRefusal(policy, address), `address ${address} never answers (${kind})`)
      }
    }
    assert.equal(writtenRefusal(allow, 'http://224.0.0.1/'), 'address 224.0.0.1 never answers (multicast)')
    assert.equal(writtenRefusal(allow, 'tcp://0:80'), 'address 0.0.0.0 never answers (unspecified)')
  })

  test('always allows public addresses', () => {
    for (const address of PUBLIC) {
      assert.equal(addressRefusal(allow, address), null, address)
      assert.equal(addressRefusal(deny, address), null, address)
    }
  })

  test('refuses what is no address', () => {
    assert.notEqual(addressRefusal(allow, 'example.com'), null)
  })

  test('judges addresses written in URLs of any scheme, and no names but that of this machine', () => {
    const urls: [url: string, refused: string | null][] = [
      ['http://10.0.0.5/', '10.0.0.5'],
      ['http://127.1/', '127.0.0.1'],
      ['tcp://0177.0.0.1:80', '127.0.0.1'],
      ['icmp://0x7f000001', '127.0.0.1'],
      ['http://[::1]:8080/', '::1'],
      ['tcp://[::ffff:10.0.0.1]', '::ffff:a00:1'],
      ['http://8.8.8.8/', null],
      ['http://localhost/', '::1'],
      ['tcp://LOCALHOST.:80', '::1'],
      ['https://shop.localhost/', '::1'],
      ['http://localhost.example/', null],
      ['http://notlocalhost/', null],
      ['http://example.com/', null],
      ['not a URL', null],
    ]
    for (const [url, refused] of urls) {
      assert.equal(writtenRefusal(deny, url), refused && `address ${refused} is not allowed`, url)
    }
    assert.equal(writtenRefusal(allow, 'http://127.0.0.1/'), null)
    assert.notEqual(writtenRefusal(allow, 'tcp://169.254.169.254:80'), null)
  })

  test('has a second lock that never bars a public address', () => {
    for (const policy of [allow, deny]) {
      const blocked = blockListOf(policy)
      const isBlocked = (address: string) => blocked.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4')
      for (const address of PUBLIC) assert.equal(isBlocked(address), false, address)
      for (const address of METADATA.filter((each) => !each.includes('%'))) {
        assert.equal(isBlocked(address), true, address)
      }
      assert.equal(isBlocked('::ffff:169.254.169.254'), true)
      for (const address of ['127.0.0.1', '::1', '::127.0.0.1', '200::1', '4000::1', 'fd00::1']) {
        assert.equal(isBlocked(address), policy === deny, address)
      }
    }
  })
})
