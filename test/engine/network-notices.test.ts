import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createNetworkNotices } from '../../src/engine/network-notices.ts'

describe('the notices of our network', () => {
  function listen() {
    const clock = { nowMs: 0 }
    const lines: string[] = []
    const createReporter = createNetworkNotices({
      monotonicMs: () => clock.nowMs,
      say: (line) => lines.push(line),
    })
    return { clock, lines, createReporter }
  }

  test('are one at the beginning and one at the end, however many threads notice', () => {
    const { clock, lines, createReporter } = listen()
    const [first, second] = [createReporter(), createReporter()]
    first.report({ kind: 'down' })
    second.report({ kind: 'down' })
    clock.nowMs = 90_000
    first.report({ kind: 'works', family: 4, unjudged: 40 })
    assert.equal(lines.length, 1)
    second.report({ kind: 'works', family: 4, unjudged: 2 })
    assert.deepEqual(lines, [
      'our network seems to be down: targets on unrelated networks fail together; they are not judged',
      'our network works again after 90 s; 42 checks were not judged meanwhile',
    ])
    first.report({ kind: 'down' })
    first.report({ kind: 'works', family: 4, unjudged: 1 })
    assert.match(lines.at(-1) ?? '', /; 1 checks were not judged/)
  })

  test('do not wait for a thread that has ended', () => {
    const { lines, createReporter } = listen()
    const [first, second] = [createReporter(), createReporter()]
    first.report({ kind: 'down' })
    second.report({ kind: 'down' })
    first.close()
    assert.equal(lines.length, 1)
    second.close()
    assert.equal(lines.length, 2)
    second.close()
    assert.equal(lines.length, 2)
  })
})
