import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decodeControl,
  decodeSockaddr,
  encodeSockaddr,
  encodeTypeFilter,
  PLATFORMS,
  type Platform,
} from '../../../src/probes/icmp/layout.ts'
import { wantedTypes } from '../../../src/probes/icmp/packet.ts'

test('a socket address is laid out as each system wants it, and read back', () => {
  const cases: [platform: string, address: string, hex: string][] = [
    ['linux', '203.0.113.7', '02000000cb0071070000000000000000'],
    ['linux', '2001:db8::7', '0a0000000000000020010db800000000000000000000000700000000'],
    ['darwin', '203.0.113.7', '10020000cb0071070000000000000000'],
    ['darwin', '2001:db8::7', '1c1e00000000000020010db800000000000000000000000700000000'],
  ]
  for (const [name, address, hex] of cases) {
    const sockaddr = encodeSockaddr(platform(name), address)
    assert.equal(sockaddr.toString('hex'), hex, `${address} on ${name}`)
    assert.equal(decodeSockaddr(sockaddr.length === 16 ? 4 : 6, sockaddr), address)
  }
})

test('the filter lets only the wanted types through', () => {
  for (const family of [4, 6] as const) {
    const filter = encodeTypeFilter(family, wantedTypes(family))
    const passing = Array.from({ length: filter.length * 8 }, (_, type) => type).filter((type) => {
      const word = filter.readUInt32LE((type >> 5) * 4)
      return ((word >>> (type & 31)) & 1) === 0
    })
    assert.deepEqual(passing, family === 4 ? [0, 3, 11] : [1, 3, 129])
  }
})

test('control messages tell when a datagram arrived and who reported an error', () => {
  const stamp = controlMessage(1, 35, timespec(1_700_000_000n, 250_000n))
  const error4 = controlMessage(0, 11, extendedError(2, encodeSockaddr(platform('linux'), '203.0.113.1')))
  const error6 = controlMessage(41, 25, extendedError(3, encodeSockaddr(platform('linux'), '2001:db8::1')))
  const local = controlMessage(0, 11, extendedError(1, encodeSockaddr(platform('linux'), '203.0.113.1')))
  const receivedAtMs = 1_700_000_000_000.25

  assert.deepEqual(decodeControl(4, stamp), { receivedAtMs, offender: null })
  assert.deepEqual(decodeControl(4, Buffer.concat([error4, stamp])), {
    receivedAtMs,
    offender: '203.0.113.1',
  })
  assert.deepEqual(decodeControl(6, error6), { receivedAtMs: null, offender: '2001:db8::1' })
  assert.deepEqual(decodeControl(4, local), { receivedAtMs: null, offender: null }, 'reported by nobody')
  assert.deepEqual(decodeControl(6, error4), { receivedAtMs: null, offender: null }, 'of the other family')
})

test('broken control messages are ignored', () => {
  const stamp = controlMessage(1, 35, timespec(1n, 0n))
  const nothing = { receivedAtMs: null, offender: null }
  assert.deepEqual(decodeControl(4, Buffer.alloc(0)), nothing)
  assert.deepEqual(decodeControl(4, stamp.subarray(0, 20)), nothing)
  assert.deepEqual(decodeControl(4, Buffer.alloc(64)), nothing, 'a length of zero ends the reading')
})

function platform(name: string): Platform {
  const found = PLATFORMS[name]
  assert.ok(found)
  return found
}

function controlMessage(level: number, type: number, data: Buffer): Buffer {
  const message = Buffer.alloc((16 + data.length + 7) & ~7)
  message.writeUInt32LE(16 + data.length, 0)
  message.writeInt32LE(level, 8)
  message.writeInt32LE(type, 12)
  message.set(data, 16)
  return message
}

function timespec(seconds: bigint, nanoseconds: bigint): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeBigInt64LE(seconds, 0)
  bytes.writeBigInt64LE(nanoseconds, 8)
  return bytes
}

function extendedError(origin: number, offender: Buffer): Buffer {
  const error = Buffer.alloc(16)
  error.writeUInt32LE(113, 0)
  error.writeUInt8(origin, 4)
  return Buffer.concat([error, offender])
}
