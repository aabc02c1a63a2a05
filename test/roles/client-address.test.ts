import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createClientReader } from '../../src/roles/http-server.ts'

const SRC = join(import.meta.dirname, '../../src')

/** Readers of what proxies say, and of the other end of a connection. */
const READERS = [
  // A request for metrics through a proxy is refused, whatever that says.
  'pages/metrics.ts',
  'roles/http-server.ts',
]
const READS = /\bx-forwarded-|\bx-real-ip\b|'forwarded'|\bremoteAddress\b|\bgetConnInfo\b|\bproxy-protocol\b/i

describe('the client of a request', () => {
  it('is what the connection and its proxies say', () => {
    const incoming = {
      socket: { remoteAddress: '::ffff:10.0.0.1' },
      headers: { 'x-forwarded-for': '10.9.9.1, 203.0.113.7:4711' },
    } as unknown as IncomingMessage
    assert.deepEqual(createClientReader({ hops: 1 })(incoming), { address: '203.0.113.7', isKnown: true })
    assert.deepEqual(createClientReader(null)(incoming), { address: '10.0.0.1', isKnown: true })
  })

  it('is read in one place', () => {
    // A way out has a peer, too.
    const readers = globSync('**/*.ts', { cwd: SRC, exclude: ['net/**', 'probes/**'] }).filter((file) => {
      const code = readFileSync(join(SRC, file), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return READS.test(code)
    })
    assert.deepEqual(readers.sort(), READERS)
  })
})
