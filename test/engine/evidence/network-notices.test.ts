import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createNetworkNotices } from '../../../src/engine/evidence/network-notices.ts'

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
    first.report({ kind: 'down', way: 'IPv4' })
    second.report({ kind: 'down', way: 'IPv4' })
    clock.nowMs = 90_000
    first.report({ kind: 'works', way: 'IPv4', unjudged: 40 })
    assert.equal(lines.length, 1)
    second.report({ kind: 'works', way: 'IPv4', unjudged: 2 })
    assert.deepEqual(lines, [
      'our network seems to be down: nothing that was reached lately can be reached; what fails is not judged',
      'our network works again after 90 s; 42 checks were not judged meanwhile',
    ])
    first.report({ kind: 'down', way: 'IPv4' })
    first.report({ kind: 'works', way: 'IPv4', unjudged: 1 })
    assert.match(lines.at(-1) ?? '', /; 1 checks were not judged/)
  })

  test('tell the name servers from the network, and what is undecided for long from both', () => {
    const { lines, createReporter } = listen()
    const reporter = createReporter()
    reporter.report({ kind: 'down', way: 'IPv6' })
    reporter.report({ kind: 'down', way: 'names' })
    reporter.report({ kind: 'undecided', reason: 'out of file descriptors', isOfTheWay: false, startedMs: 1 })
    reporter.report({ kind: 'works', way: 'names', unjudged: 3 })
    reporter.report({ kind: 'decided' })
    assert.deepEqual(lines.slice(1), [
      'our name servers seem to be down: no name that was found lately is found; what fails is not judged',
      'a target has not been judged for longer than two intervals and two time-outs: out of file descriptors',
      'our name servers work again after 0 s; 3 checks were not judged meanwhile',
      'every target is judged again after 0 s',
    ])
  })

  test('are none of what is undecided because the way is down', () => {
    const { lines, createReporter } = listen()
    const reporter = createReporter()
    reporter.report({ kind: 'down', way: 'IPv4' })
    reporter.report({ kind: 'undecided', reason: 'no network here', isOfTheWay: true, startedMs: 1 })
    reporter.report({ kind: 'decided' })
    reporter.report({ kind: 'works', way: 'IPv4', unjudged: 3 })
    assert.equal(lines.length, 2, lines.join('\n'))
    reporter.report({ kind: 'undecided', reason: 'no network here', isOfTheWay: true, startedMs: 1 })
    assert.match(lines.at(-1) ?? '', /: no network here$/)
  })

  test('are none of an attempt that began while the way was down', () => {
    const { clock, lines, createReporter } = listen()
    const reporter = createReporter()
    const undecided = {
      kind: 'undecided',
      reason: 'no name server of ours answers',
      isOfTheWay: true,
    } as const
    reporter.report({ kind: 'down', way: 'IPv4' })
    clock.nowMs = 10_000
    reporter.report({ kind: 'works', way: 'IPv4', unjudged: 3 })
    reporter.report({ ...undecided, startedMs: 9_000 })
    reporter.report({ kind: 'decided' })
    assert.equal(lines.length, 2, lines.join('\n'))
    reporter.report({ ...undecided, startedMs: 11_000 })
    assert.match(lines.at(-1) ?? '', /: no name server of ours answers$/)
  })

  test('do not wait for a thread that has ended', () => {
    const { lines, createReporter } = listen()
    const [first, second] = [createReporter(), createReporter()]
    first.report({ kind: 'down', way: 'IPv4' })
    second.report({ kind: 'down', way: 'IPv4' })
    first.close()
    assert.equal(lines.length, 1)
    second.close()
    assert.equal(lines.length, 2)
    second.close()
    assert.equal(lines.length, 2)
  })
})
