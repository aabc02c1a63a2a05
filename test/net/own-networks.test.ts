import assert from 'node:assert/strict'
import type os from 'node:os'
import { describe, it } from 'node:test'
import { createOwnNetworks } from '../../src/net/own-networks.ts'

const interfaces = (...cidrs: string[]) =>
  ({ eth0: cidrs.map((cidr) => ({ cidr })) }) as unknown as ReturnType<typeof os.networkInterfaces>

describe("this machine's own networks", () => {
  const cidrs = ['93.184.216.34/24', '20.1.2.3/32', '45.0.0.9/8', '2606:2800:220:1::9/64', '2a00:1::9/32']
  const addresses: [address: string, isOurs: boolean][] = [
    ['93.184.216.34', true],
    ['93.184.216.200', true],
    ['93.184.217.1', false],
    ['::ffff:93.184.216.34', true],
    ['20.1.2.3', true],
    ['20.1.2.4', false],
    // A prefix as short as this is no network of neighbours.
    ['45.0.0.9', true],
    ['45.0.0.8', false],
    ['2606:2800:220:1::1', true],
    ['2606:2800:220:2::1', false],
    ['2a00:1::9', true],
    ['2a00:1::8', false],
    ['not an address', false],
  ]
  for (const [address, isOurs] of addresses) {
    it(`${isOurs ? 'hold' : 'do not hold'} ${address}`, () => {
      const holds = createOwnNetworks(
        () => 0,
        () => interfaces(...cidrs),
      )
      assert.equal(holds(address), isOurs)
    })
  }

  it('are read again after a while, and kept while the system cannot say', () => {
    let nowMs = 0
    let read = () => interfaces('20.1.2.3/24')
    const holds = createOwnNetworks(
      () => nowMs,
      () => read(),
    )
    assert.equal(holds('20.1.2.9'), true)
    read = () => {
      throw Object.assign(new Error('uv_interface_addresses returned EMFILE'), { code: 'EMFILE' })
    }
    nowMs += 10_000
    assert.equal(holds('20.1.2.9'), true)
    read = () => interfaces('20.1.3.3/24')
    assert.equal(holds('20.1.2.9'), true)
    nowMs += 10_000
    assert.deepEqual([holds('20.1.2.9'), holds('20.1.3.9')], [false, true])
  })
})
