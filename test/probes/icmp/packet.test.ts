import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalAddress,
  checksum,
  encodeEchoRequest,
  type Framing,
  type IcmpMessage,
  type IpFamily,
  parseDatagram,
  parseQuotedRequest,
} from '../../../src/probes/icmp/packet.ts'

const ECHO = { identifier: 0x1234, sequence: 7, payload: Buffer.from('nonce') }

test('the checksum follows RFC 1071', () => {
  const cases: [hex: string, sum: number][] = [
    ['', 0xffff],
    ['0001f203f4f5f6f7', 0x220d],
    ['ff', 0x00ff],
    ['ffff', 0x0000],
    ['0800000012340007', 0xe5c4],
  ]
  for (const [hex, sum] of cases) assert.equal(checksum(Buffer.from(hex, 'hex')), sum, hex)
})

test('an echo request carries type, identifier, sequence and payload', () => {
  const v4 = encodeEchoRequest(4, ECHO)
  assert.equal(v4.subarray(0, 2).toString('hex'), '0800')
  assert.equal(v4.subarray(4).toString('hex'), `12340007${Buffer.from('nonce').toString('hex')}`)
  assert.equal(checksum(v4), 0, 'its own checksum makes the sum zero')
  const v6 = encodeEchoRequest(6, ECHO)
  assert.equal(v6.subarray(0, 4).toString('hex'), '80000000', 'the kernel fills in the checksum')
})

test('a datagram is read for what it says about an echo request', () => {
  const reply = (family: IpFamily) => icmp(family === 4 ? 0 : 129, ECHO.payload)
  const request4 = encodeEchoRequest(4, ECHO)
  const request6 = encodeEchoRequest(6, ECHO)
  const bare8 = { ...ECHO, payload: Buffer.alloc(0) }
  const unreachable4 = (quoted: Buffer, type = 3) =>
    ipv4(Buffer.concat([Buffer.from([type, 1, 0, 0, 0, 0, 0, 0]), quoted]))
  const unreachable6 = (quoted: Buffer, type = 1) =>
    Buffer.concat([Buffer.from([type, 0, 0, 0, 0, 0, 0, 0]), quoted])
  const about = (destination: string, echo = ECHO) => ({ kind: 'unreachable' as const, echo, destination })
  const answered = { kind: 'reply' as const, echo: ECHO }

  const cases: [name: string, IpFamily, Framing, Buffer, IcmpMessage | null][] = [
    ['a reply after an IPv4 header', 4, 'ip-header', ipv4(reply(4)), answered],
    ['a reply after an IPv4 header with options', 4, 'ip-header', ipv4(reply(4), 24), answered],
    ['a reply on a ping socket', 4, 'bare', reply(4), answered],
    ['a reply of ICMPv6', 6, 'bare', reply(6), answered],
    ['our own request, looped back', 4, 'ip-header', ipv4(request4), null],
    ['our own request, looped back over IPv6', 6, 'bare', request6, null],
    ['unreachable', 4, 'ip-header', unreachable4(ipv4(request4)), about('203.0.113.7')],
    [
      'unreachable, quoting only 8 bytes',
      4,
      'ip-header',
      unreachable4(ipv4(request4.subarray(0, 8))),
      about('203.0.113.7', bare8),
    ],
    ['time exceeded', 4, 'ip-header', unreachable4(ipv4(request4), 11), about('203.0.113.7')],
    ['unreachable over IPv6', 6, 'bare', unreachable6(ipv6(request6)), about('2001:db8::7')],
    ['time exceeded over IPv6', 6, 'bare', unreachable6(ipv6(request6), 3), about('2001:db8::7')],
    ['unreachable about a reply', 4, 'ip-header', unreachable4(ipv4(reply(4))), null],
    ['unreachable about UDP', 4, 'ip-header', unreachable4(ipv4(request4, 20, 17)), null],
    ['unreachable about TCP over IPv6', 6, 'bare', unreachable6(ipv6(request6, 6)), null],
    ['unreachable, quoting too little', 4, 'ip-header', unreachable4(ipv4(request4.subarray(0, 7))), null],
    [
      'unreachable, quoting half an IPv6 header',
      6,
      'bare',
      unreachable6(ipv6(request6).subarray(0, 30)),
      null,
    ],
    ['a redirect', 4, 'bare', icmp(5, ECHO.payload), null],
    ['a neighbour solicitation', 6, 'bare', icmp(135, ECHO.payload), null],
    ['half a header', 4, 'bare', reply(4).subarray(0, 7), null],
    ['an IPv4 header that is too short', 4, 'ip-header', ipv4(reply(4)).subarray(0, 19), null],
    [
      'an IPv4 header that claims 4 bytes',
      4,
      'ip-header',
      Buffer.from(ipv4(reply(4))).fill(0x41, 0, 1),
      null,
    ],
    ['an IPv4 header that claims more than there is', 4, 'ip-header', ipv4(reply(4)).fill(0x4f, 0, 1), null],
    ['IPv6 where IPv4 was expected', 4, 'ip-header', ipv6(reply(6)), null],
    ['nothing', 6, 'bare', Buffer.alloc(0), null],
  ]
  for (const [name, family, framing, datagram, message] of cases) {
    assert.deepEqual(parseDatagram(family, framing, datagram), message, name)
  }
})

test('the error queue quotes the request without its IP header', () => {
  assert.deepEqual(parseQuotedRequest(4, encodeEchoRequest(4, ECHO)), ECHO)
  assert.deepEqual(parseQuotedRequest(6, encodeEchoRequest(6, ECHO)), ECHO)
  assert.equal(parseQuotedRequest(6, encodeEchoRequest(4, ECHO)), null)
  assert.equal(parseQuotedRequest(4, encodeEchoRequest(4, ECHO).subarray(0, 7)), null)
})

test('an address has one spelling', () => {
  const cases: [string | Uint8Array, string][] = [
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['::1', '::1'],
    ['203.0.113.7', '203.0.113.7'],
    [Uint8Array.of(127, 0, 0, 1), '127.0.0.1'],
    [Uint8Array.of(...Array(15).fill(0), 1), '::1'],
  ]
  for (const [address, spelling] of cases) assert.equal(canonicalAddress(address), spelling)
})

function icmp(type: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, 0, 0xab, 0xcd, 0x12, 0x34, 0, 7]), payload])
}

/** From 192.0.2.1 to 203.0.113.7. */
function ipv4(message: Buffer, headerBytes = 20, protocol = 1): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.set([0x40 | (headerBytes / 4)])
  header.set([protocol], 9)
  header.set([192, 0, 2, 1, 203, 0, 113, 7], 12)
  return Buffer.concat([header, message])
}

/** From 2001:db8::1 to 2001:db8::7. */
function ipv6(message: Buffer, nextHeader = 58): Buffer {
  const header = Buffer.alloc(40)
  header.set([0x60])
  header.set([nextHeader], 6)
  header.set([0x20, 0x01, 0x0d, 0xb8], 8)
  header.set([1], 23)
  header.set([0x20, 0x01, 0x0d, 0xb8], 24)
  header.set([7], 39)
  return Buffer.concat([header, message])
}
