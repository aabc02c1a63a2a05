import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publicNetworkOf } from '../../src/net/public-network.ts'

describe('the public network of an address', () => {
  const networks: [address: string, network: string | null][] = [
    ['93.184.216.34', '93.184.0.0/16'],
    ['93.184.255.1', '93.184.0.0/16'],
    ['2606:2800:220:1::1', '2606:2800::/32'],
    ['::ffff:93.184.216.34', '93.184.0.0/16'],
    ['64:ff9b::5db8:d822', '64:ff9b::93.184.0.0/16'],
    ['64:ff9b::a01:203', null],
    ['64:ff9b:1::5db8:d822', null],
    ['127.0.0.1', null],
    ['::1', null],
    ['10.1.2.3', null],
    ['192.168.1.1', null],
    ['172.20.0.1', null],
    ['100.64.0.1', null],
    ['169.254.169.254', null],
    ['fd00::1', null],
    ['fe80::1', null],
    ['::ffff:10.0.0.1', null],
    ['not an address', null],
  ]
  for (const [address, network] of networks) {
    test(`of ${address} is ${network}`, () => assert.equal(publicNetworkOf(address), network))
  }
})
