import assert from 'node:assert/strict'
import net from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MAX_HEADER_BYTES, readTolerantly } from '../../src/net/tolerant-answer.ts'
import { ODD_ANSWERS } from '../catalogue/odd-answers.ts'

/** Hands over an answer in pieces; returns the bytes that the parser gets. */
function pass(pieces: Buffer[]): { read: string; oddities: readonly string[]; refusal: string | null } {
  const socket = new net.Socket()
  let refusal: string | null = null
  socket.destroy = (error) => {
    refusal = error?.message ?? null
    return socket
  }
  const oddities = readTolerantly(socket)
  for (const piece of pieces) if (refusal === null) socket.push(piece)
  if (refusal === null) socket.push(null)
  const read: Buffer[] = []
  while (socket.readableLength > 0) read.push(socket.read() as Buffer)
  return { read: Buffer.concat(read).toString('latin1'), oddities, refusal }
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % bytes.length))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index]))
}

describe('the reader of odd answers', () => {
  test('passes what is as it should be byte for byte, body and all', () => {
    for (const answer of [
      'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nX-A:\r\nX_b: \xe9 "c"\r\n\r\na\n\n\0\r\n\r\n',
      'HTTP/1.0 200\r\n\r\n \x01 : \n\n',
      'HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nX A : b\n\n',
      'SSH-2.0-OpenSSH_9.2\r\n',
      'X',
      'HT',
      '',
      '\x15\x03\x03\x00\x02\x02\x28',
    ]) {
      const { read, oddities, refusal } = pass([Buffer.from(answer, 'latin1')])
      assert.deepEqual([read, oddities, refusal], [answer, [], null])
    }
  })

  test('reads an answer alike wherever it is cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ODD_ANSWERS), fc.array(fc.nat(), { maxLength: 20 }), (odd, places) => {
        // Anything but HTTP passes at once, piece by piece.
        if (odd.says?.startsWith('Expected HTTP/')) return
        const bytes = Buffer.from(odd.answer, 'latin1')
        assert.deepEqual(pass(cut(bytes, places)), pass([bytes]), odd.name)
      }),
      { seed: 34, numRuns: 2_000 },
    )
  })

  test('takes an answer that comes byte by byte', () => {
    for (const { answer, name } of ODD_ANSWERS.filter(({ says }) => !says?.startsWith('Expected HTTP/'))) {
      const bytes = Buffer.from(answer, 'latin1')
      assert.deepEqual(pass(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), pass([bytes]), name)
    }
  })

  test('leaves what never ends to the parser, and keeps no more of it than a head may have', () => {
    const flood = Buffer.from(`HTTP/1.1 200 OK\nX-A: ${'x'.repeat(MAX_HEADER_BYTES)}`)
    const { read, refusal } = pass(cut(flood, [100, 20_000, 40_000, 65_000]))
    assert.deepEqual([read, refusal], [flood.toString(), null])
  })
})
