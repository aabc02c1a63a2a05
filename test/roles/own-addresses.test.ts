import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownAddresses } from '../../src/roles/own-addresses.ts'

const address = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
  ...{ address, internal, netmask: '', mac: '', cidr: null },
  ...(family === 'IPv4' ? { family } : { family, scopeid: 0 }),
})

const MACHINE = {
  hostname: 'box',
  interfaces: {
    lo: [address('127.0.0.1', 'IPv4', true), address('::1', 'IPv6', true)],
    eth0: [address('192.0.2.7', 'IPv4'), address('2001:db8::7', 'IPv6'), address('fe80::1', 'IPv6')],
  },
}

describe('the addresses that a start prints', () => {
  const cases: [host: string, found: string[]][] = [
    ['0.0.0.0', ['http://box:3000', 'http://192.0.2.7:3000']],
    ['::', ['http://box:3000', 'http://192.0.2.7:3000', 'http://[2001:db8::7]:3000']],
    ['127.0.0.1', []],
    ['localhost', []],
    ['192.0.2.7', ['http://192.0.2.7:3000']],
    ['2001:db8::7', ['http://[2001:db8::7]:3000']],
  ]
  for (const [host, found] of cases) {
    it(`are ${found.length === 0 ? 'none' : found.join(', ')} where it listens on ${host}`, () => {
      assert.deepEqual(ownAddresses({ host, port: 3000 }, MACHINE), found)
    })
  }

  it('are eight at most, and no name that only this machine knows itself by', () => {
    const many = Array.from({ length: 20 }, (_, n) => address(`192.0.2.${n}`, 'IPv4'))
    const found = ownAddresses({ host: '0.0.0.0', port: 80 }, { hostname: 'localhost', interfaces: { many } })
    assert.deepEqual([found.length, found[0]], [8, 'http://192.0.2.0:80'])
  })
})
