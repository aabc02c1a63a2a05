import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { createEvidenceGuard, type EvidenceGuard } from '../../../src/engine/evidence/evidence.ts'
import { createNetworkNotices } from '../../../src/engine/evidence/network-notices.ts'
import { createPeerEvidenceRequests, PEER_TIMEOUT_MS } from '../../../src/engine/evidence/peer-evidence.ts'
import { createCheckingThreads } from '../../../src/engine/threads/checking-threads.ts'
import type { ThreadInstruction } from '../../../src/engine/threads/thread-messages.ts'
import { publicNetworkOf } from '../../../src/net/public-network.ts'
import { createFakeThread } from '../../support/probing/fake-threads.ts'
import { everySecond, loadAll } from '../../support/probing/threads-world.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'

const THREADS = 3
const STEP_MS = 10
/** Ten unrelated networks, shared out over the threads. */
const ADDRESSES = Array.from({ length: 10 }, (_, i) => `${20 + i}.${i}.0.1`)

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Resolves when all messages between threads have arrived. */
async function settled() {
  for (let turns = 0; turns < 10; turns++) await turn()
}

/** Threads that are none, each with a guard; target i is looked at by thread i % 3. Timers wait for the test. */
function createProcess(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const guards: EvidenceGuard[] = []
  const process = {
    nowMs: 5_000_000,
    answering: true,
    reachable: true,
    stuck: -1,
    /** Instead of what all others find. */
    result: new Map<string, () => CheckResult | Promise<CheckResult>>(),
    asked: 0,
    notices: [] as string[],
    async look(index: number): Promise<CheckResult> {
      const settings = settingsFor('http', { url: `http://${ADDRESSES[index]}/` })
      const guard = guards[index % THREADS] as EvidenceGuard
      return guard.probe(settings, new AbortController().signal)
    },
    async lookAtAll(): Promise<string[]> {
      process.nowMs += 1_000
      const results = await Promise.all(ADDRESSES.map((_, index) => process.look(index)))
      return results.map(({ status }) => status)
    },
  }

  function startThread() {
    const index = guards.length
    const thread = createFakeThread((report) => {
      const peers = createPeerEvidenceRequests((question) => {
        process.asked++
        report(question)
      })
      const guard = createEvidenceGuard({
        probe: async ({ url }) => {
          const { hostname } = new URL(url)
          return process.result.get(hostname)?.() ?? resultOf(hostname)
        },
        networkOf: publicNetworkOf,
        reach: async (_, address) => (process.reachable ? address : null),
        find: async () => (process.reachable ? ['20.0.0.1'] : []),
        isRootDenied: async () => false,
        monotonicMs: () => process.nowMs,
        notify: (notice) => report({ kind: 'network', notice }),
        others: peers.request,
      })
      guards.push(guard)
      return {
        load() {},
        apply() {},
        release: async () => ({ monitors: [], nextChecks: [] }),
        handOver: async () => [],
        assign() {},
        confirm() {},
        close: async () => {},
        shareEvidence: guard.shareEvidence,
        noteWayWorks: guard.noteWayWorks,
        takeEvidence: peers.takeEvidence,
      }
    })
    return {
      ...thread,
      post(instruction: ThreadInstruction) {
        if (instruction.kind !== 'share evidence' || process.stuck !== index) thread.post(instruction)
      },
    }
  }

  function resultOf(address: string): CheckResult {
    const failure = { ...resultWithout('down', 'no answer within 5 s (connecting)'), address }
    return process.answering ? { ...failure, status: 'up', errorMessage: null, responseTimeMs: 5 } : failure
  }

  const threads = createCheckingThreads({
    cores: THREADS,
    startThread,
    createReporter: createNetworkNotices({
      monotonicMs: () => process.nowMs,
      say: (line) => process.notices.push(line),
    }),
    reload: async () => {},
    monotonicMs: () => process.nowMs,
    onTrouble: (error) => assert.fail(String(error)),
  })
  void loadAll(threads, everySecond(1, 250 * THREADS))
  assert.equal(guards.length, THREADS)
  t.mock.timers.tick(0)
  t.after(() => threads.close())
  return process
}

describe('threads that see a part of the targets each', () => {
  it('find together that all networks fail: none is judged, and one notice goes out', async (t) => {
    const process = createProcess(t)
    assert.deepEqual(await process.lookAtAll(), Array(10).fill('up'))
    assert.equal(process.asked, 0, 'nobody asks while targets answer')
    process.answering = false
    process.reachable = false
    assert.deepEqual(await process.lookAtAll(), Array(10).fill('pending'))
    await settled()
    assert.deepEqual(await process.lookAtAll(), Array(10).fill('pending'))
    assert.match(process.notices.join(), /^our network seems to be down: [^,]*$/)
  })

  it('believe their targets where one of them has another way out', async (t) => {
    const process = createProcess(t)
    await process.lookAtAll()
    process.answering = false
    assert.deepEqual(await process.lookAtAll(), Array(10).fill('down'))
    assert.deepEqual(process.notices, [])
  })

  it('all learn from one of them that our network works again', async (t) => {
    const process = createProcess(t)
    await process.lookAtAll()
    process.answering = false
    process.reachable = false
    await process.lookAtAll()
    await settled()
    process.nowMs += 1_000
    process.answering = true
    assert.equal((await process.look(0)).status, 'up')
    await settled()
    assert.equal(process.notices.length, 2)
    assert.match(process.notices[1] ?? '', /^our network works again after 1 s; 10 checks were not judged/)
    process.nowMs += 1_000
    process.answering = false
    process.reachable = true
    assert.equal((await process.look(1)).status, 'down', 'it fails alone now')
  })

  it('learn from each other that one target alone has been without a way for too long', async (t) => {
    const process = createProcess(t)
    const lost = ADDRESSES[0] as string
    const noWay = { ...resultWithout('pending', 'no network here'), address: lost }
    process.result.set(lost, () => ({ ...noWay, causeIfTheirs: `no route to ${lost}` }))
    const statuses: string[] = []
    // Thread 0 looks at nothing else.
    for (let round = 0; round < 20; round++) {
      process.nowMs += 20_000
      await Promise.all([1, 2, 4, 5].map((index) => process.look(index)))
      process.nowMs += 1_000
      statuses.push((await process.look(0)).status)
      await settled()
    }
    assert.equal(statuses[0], 'pending')
    assert.equal(statuses.at(-1), 'down')
  })

  it('learn from each other that they fell silent together, and judge at the second attempt', async (t) => {
    const process = createProcess(t)
    await process.lookAtAll()
    const silent = [0, 1].map((index) => ADDRESSES[index] as string)
    const ends = new Map<string, () => void>()
    for (const address of silent)
      process.result.set(address, () => {
        const failure = { ...resultWithout('down', 'no answer within 5 s (connecting)'), address }
        return new Promise((resolve) => ends.set(address, () => resolve(failure)))
      })
    async function attempt() {
      const looks = [process.look(0), process.look(1)]
      for (let second = 0; second < 5; second++) {
        process.nowMs += 1_000
        for (const index of [2, 3, 5, 6, 8, 9]) await process.look(index)
      }
      for (const address of silent) ends.get(address)?.()
      return (await Promise.all(looks)).map(({ status }) => status)
    }
    assert.deepEqual(await attempt(), ['pending', 'pending'])
    assert.deepEqual(await attempt(), ['down', 'down'])
    assert.deepEqual(process.notices, [])
  })

  it('do not wait for one that says nothing', async (t) => {
    const process = createProcess(t)
    await process.lookAtAll()
    process.answering = false
    process.stuck = 2
    let status: string | null = null
    process.look(0).then((result) => {
      status = result.status
    })
    let passedMs = 0
    for (; status === null && passedMs < 10 * PEER_TIMEOUT_MS; passedMs += STEP_MS) {
      t.mock.timers.tick(STEP_MS)
      await turn()
    }
    assert.equal(status, 'down')
    assert.ok(passedMs <= PEER_TIMEOUT_MS + 10 * STEP_MS, `${passedMs} ms`)
  })
})
