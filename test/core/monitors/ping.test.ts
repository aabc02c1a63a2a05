import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { durationsOf, type PingKind, textOf } from '../../../src/core/monitors/ping.ts'

const DAY_SECONDS = 86_400

describe('how long runs took', () => {
  type Told = [second: number, kind: PingKind, runId?: string]
  const table: [what: string, oldestFirst: Told[], newestFirst: (number | null)[]][] = [
    ['nothing', [], []],
    ['an end alone has no duration', [[5, 'success']], [null]],
    [
      'an end takes the start before it',
      [
        [5, 'start'],
        [8, 'success'],
      ],
      [3_000, null],
    ],
    [
      'a start is used up by its end',
      [
        [5, 'start'],
        [8, 'fail'],
        [9, 'success'],
      ],
      [null, 3_000, null],
    ],
    [
      'the last of several starts counts',
      [
        [1, 'start'],
        [5, 'start'],
        [8, 'success'],
      ],
      [3_000, null, null],
    ],
    [
      'what is only said ends nothing',
      [
        [1, 'start'],
        [2, 'log'],
        [4, 'fail'],
      ],
      [3_000, null, null],
    ],
    [
      'runs that overlap are told apart by their ids',
      [
        [1, 'start', 'a'],
        [2, 'start', 'b'],
        [5, 'success', 'a'],
        [9, 'fail', 'b'],
        [10, 'success'],
      ],
      [null, 7_000, 4_000, null, null],
    ],
    [
      'a day is the longest run',
      [
        [0, 'start', 'a'],
        [0, 'start', 'b'],
        [DAY_SECONDS, 'success', 'a'],
        [DAY_SECONDS + 1, 'success', 'b'],
      ],
      [null, DAY_SECONDS * 1_000, null, null],
    ],
  ]
  for (const [what, oldestFirst, newestFirst] of table) {
    test(what, () => {
      const pings = oldestFirst.map(([second, kind, runId = null]) => ({
        receivedAt: new Date(second * 1_000),
        kind,
        runId,
      }))
      assert.deepEqual(durationsOf(pings.reverse()), newestFirst)
    })
  }
})

describe('a body as text', () => {
  const bytes = (text: string) => Buffer.from(text)
  const table: [what: string, body: Uint8Array, text: string | null][] = [
    ['nothing', bytes(''), ''],
    ['what was said', bytes('done: 3 files\n\tü 😀'), 'done: 3 files\n\tü 😀'],
    ['markup stays what it is', bytes('<script>alert(1)</script>'), '<script>alert(1)</script>'],
    ['a character that was cut is left out', bytes('ok 😀').subarray(0, 6), 'ok '],
    ['a byte that begins no character in the middle', Buffer.from([0x6f, 0xc3, 0x28, 0x6b]), null],
    ['a picture is no text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), null],
    ['NUL is in no text', bytes('a\0b'), null],
  ]
  for (const [what, body, text] of table) test(what, () => assert.equal(textOf(body), text))
})
