import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeFailures } from '../../src/net/dial-failure.ts'

const FOUR = '203.0.113.7'
const SIX = '2001:db8::7'

describe('when every address fails', () => {
  const rules: [codes: [address: string, code: string][], kind: 'failed' | 'inconclusive', reason: string][] =
    [
      [[[FOUR, 'ECONNREFUSED']], 'failed', 'connection refused by 203.0.113.7:443'],
      [[[FOUR, 'EHOSTUNREACH']], 'failed', 'no route to 203.0.113.7'],
      [[[SIX, 'ETIMEDOUT']], 'failed', 'connection to [2001:db8::7]:443 timed out'],
      [
        [
          [SIX, 'ECONNREFUSED'],
          [FOUR, 'ECONNREFUSED'],
        ],
        'failed',
        'connection refused by [2001:db8::7]:443 and 203.0.113.7:443',
      ],
      [
        [
          [SIX, 'EHOSTUNREACH'],
          [FOUR, 'ECONNRESET'],
        ],
        'failed',
        'no route to 2001:db8::7; connection reset by 203.0.113.7:443',
      ],
      [
        [
          [SIX, 'ENETUNREACH'],
          [FOUR, 'ECONNREFUSED'],
        ],
        'failed',
        'connection refused by 203.0.113.7:443',
      ],
      [
        [
          [SIX, 'EADDRNOTAVAIL'],
          [FOUR, 'ECONNREFUSED'],
        ],
        'failed',
        'connection refused by 203.0.113.7:443',
      ],
      [
        [
          [SIX, 'ENETUNREACH'],
          [FOUR, 'ENETUNREACH'],
        ],
        'inconclusive',
        'no network here',
      ],
      [[[FOUR, 'ENETDOWN']], 'inconclusive', 'no network here'],
      [[[SIX, 'EADDRNOTAVAIL']], 'inconclusive', 'no local address'],
      [[[FOUR, 'EADDRINUSE']], 'inconclusive', 'no local port left'],
      [
        [
          [SIX, 'ENETUNREACH'],
          [FOUR, 'EADDRINUSE'],
        ],
        'inconclusive',
        'no local port left',
      ],
      [
        [
          [SIX, 'ECONNREFUSED'],
          [FOUR, 'EADDRINUSE'],
        ],
        'inconclusive',
        'no local port left',
      ],
      [[[FOUR, 'EPERM']], 'inconclusive', 'this machine does not let us connect there'],
      [
        [
          [SIX, 'ECONNREFUSED'],
          [FOUR, 'EMFILE'],
        ],
        'inconclusive',
        'out of file descriptors',
      ],
      [[[FOUR, 'ENFILE']], 'inconclusive', 'out of file descriptors'],
      [[[FOUR, 'ENOBUFS']], 'inconclusive', 'out of network buffers'],
      [[[FOUR, 'ENOMEM']], 'inconclusive', 'out of memory'],
    ]
  for (const [codes, kind, reason] of rules) {
    test(`with ${codes.map(([, code]) => code).join(' and ')} it is ${kind}: ${reason}`, () => {
      const failures = codes.map(([address, code]) => ({ address, code }))
      const { isOfTheWay, ...judged } = { isOfTheWay: null, ...judgeFailures(failures, 443) }
      assert.deepEqual(judged, { kind, reason })
      const isOurs = /^out of|port left$|^this machine/.test(reason)
      assert.equal(isOfTheWay, kind === 'failed' ? null : !isOurs)
    })
  }
})
