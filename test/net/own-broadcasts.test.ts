import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { createOwnBroadcasts } from '../../src/net/own-broadcasts.ts'

function interfaces(...cidrs: string[]) {
  return { eth0: cidrs.map((cidr) => ({ cidr }) as NetworkInterfaceInfo) }
}

test('knows the broadcast addresses of the networks that this machine is in', () => {
  const isOwn = createOwnBroadcasts(
    () => 0,
    () => interfaces('192.168.7.20/24', '10.1.2.3/22', '10.9.9.9/32', '10.8.8.8/31', 'fd00::2/64'),
  )
  const asked = ['192.168.7.255', '10.1.3.255', '10.9.9.9', '10.8.8.9', '10.1.2.255', '192.168.8.255']
  assert.deepEqual(asked.map(isOwn), [true, true, false, false, false, false])
})

test('follows a machine that moves, and keeps what it knew when the system does not tell', () => {
  let now = 0
  let tell = () => interfaces('10.0.0.5/24')
  const isOwn = createOwnBroadcasts(
    () => now,
    () => tell(),
  )
  assert.equal(isOwn('10.0.0.255'), true)
  tell = () => {
    throw new Error('EMFILE')
  }
  now = 10_000
  assert.equal(isOwn('10.0.0.255'), true)
  tell = () => interfaces('10.0.1.5/24')
  now = 20_000
  assert.deepEqual([isOwn('10.0.0.255'), isOwn('10.0.1.255')], [false, true])
})
