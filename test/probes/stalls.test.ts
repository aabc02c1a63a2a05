import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { createLoopWatch, type LoopWatch } from '../../src/net/loop-watch.ts'
import type { Scope } from '../support/scope.ts'
import { startHttp, startTcp } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { standStill } from '../support/time/stand-still.ts'

const TOO_BUSY = ['pending', 'this machine was too busy to judge']
const LIMIT = { request_timeout_seconds: 1 }

/** Says that the loop stood still for longer than everything; `onAsked` is called when a limit is over. */
function lateLoop(onAsked = () => {}): LoopWatch {
  const stalledMs = () => {
    onAsked()
    return 1e6
  }
  return { start: () => stalledMs, stop() {} }
}

async function checkLate(scope: Scope, onConnection: (socket: Socket) => void, network = testNetwork()) {
  const target = await startTcp(scope, onConnection)
  const url = `http://127.0.0.1:${target.port}/`
  const { status, errorMessage } = await check('http', { url, ...LIMIT }, { network })
  await target.allClosed()
  return [status, errorMessage]
}

describe('a check of a machine that is always late', { concurrency: true }, () => {
  test('blames a target that never answers', async (t) => {
    const network = { ...testNetwork(), loop: lateLoop() }
    assert.deepEqual(await checkLate(t, () => {}, network), [
      'down',
      'no answer within 1 s (connected, waiting for the first byte)',
    ])
  })

  test('knows nothing of a target that has just said something', async (t) => {
    let drip: NodeJS.Timeout | undefined
    t.after(() => clearInterval(drip))
    const target = await startHttp(t, (_, response) => {
      drip = setInterval(() => response.write('x'), 20)
    })
    const network = { ...testNetwork(), loop: lateLoop() }
    const url = `http://127.0.0.1:${target.port}/`
    const { status, errorMessage } = await check('keyword', { url, ...LIMIT }, { network })
    assert.deepEqual([status, errorMessage], TOO_BUSY)
  })
})

describe('a check during which this machine stood still', () => {
  test('listens for longer, and is up when the answer comes then', async (t) => {
    let answer = () => {}
    const target = await startHttp(t, (_, response) => {
      answer = () => response.end()
    })
    const network = { ...testNetwork(), loop: lateLoop(() => answer()) }
    const url = `http://127.0.0.1:${target.port}/`
    const result = await check('http', { url, ...LIMIT }, { network })
    assert.equal(result.errorMessage, null)
    assert.equal(result.status, 'up')
    await target.allClosed()
  })

  test('does not blame a target that hung up meanwhile', async (t) => {
    const network = { ...testNetwork(), loop: createLoopWatch(() => performance.now()) }
    const hangUp = (socket: Socket) => {
      standStill(1_100)
      socket.end()
    }
    assert.deepEqual(await checkLate(t, hangUp, network), TOO_BUSY)
  })

  test('does not blame a target that says it waited in vain, unless it says so to all', async (t) => {
    const giveUp = (socket: Socket) => void socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n')
    assert.deepEqual(await checkLate(t, giveUp), ['down', 'HTTP 408 (expected 200)'])
    const network = { ...testNetwork(), loop: createLoopWatch(() => performance.now()) }
    const giveUpLate = (socket: Socket) => {
      standStill(1_100)
      giveUp(socket)
    }
    assert.deepEqual(await checkLate(t, giveUpLate, network), TOO_BUSY)
  })

  test('believes any other answer', async (t) => {
    const network = { ...testNetwork(), loop: createLoopWatch(() => performance.now()) }
    const answer = (socket: Socket) => {
      standStill(1_100)
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
    }
    assert.deepEqual(await checkLate(t, answer, network), ['down', 'HTTP 503 (expected 200)'])
  })
})
