import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientNetwork } from '../../src/core/client-network.ts'

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
    test(`${address || 'no address'} is one of ${network || 'none'}`, () =>
      assert.equal(clientNetwork(address), network))
  }
})
