import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CheckResult, resultWithout } from '../../src/core/check.ts'
import type { ProbeSettings } from '../../src/core/probe-settings.ts'
import { createMassFailureGuard, type Landmark } from '../../src/engine/mass-failure.ts'
import { createNetworkNotices } from '../../src/engine/network-notices.ts'
import { publicNetworkOf } from '../../src/net/public-network.ts'
import { settingsFor } from '../support/targets-settings.ts'

const SECOND_MS = 1_000
const OURS = 'our network seems to be down'

type World = {
  nowMs: number
  /** What each address does when it is looked at; it answers where nothing is said. */
  result: (address: string) => CheckResult | Promise<CheckResult>
  reachable: (host: string) => boolean
  reached: string[]
  notices: string[]
  look(address: string, signal?: AbortSignal): Promise<CheckResult>
  /** Looks at each of them, a second apart. */
  lookAtAll(addresses: string[]): Promise<string[]>
}

/** A guard over results that are made up: public addresses cannot be had in a test. */
function createWorld(): World {
  const world: World = {
    nowMs: 5_000_000,
    result: answer,
    reachable: () => true,
    reached: [],
    notices: [],
    look: (address, signal = new AbortController().signal) => guard.probe(settingsOf(address), signal),
    async lookAtAll(addresses) {
      const statuses: string[] = []
      for (const address of addresses) {
        world.nowMs += SECOND_MS
        statuses.push((await world.look(address)).status)
      }
      return statuses
    },
  }
  const guard = createMassFailureGuard({
    probe: async (settings) => world.result(addressOf(settings)),
    networkOf: publicNetworkOf,
    reach: async (landmark) => {
      world.reached.push(addressOf(landmark))
      return world.reachable(addressOf(landmark))
    },
    monotonicMs: () => world.nowMs,
    notify: createNetworkNotices({
      monotonicMs: () => world.nowMs,
      say: (line) => world.notices.push(line),
    })().report,
    others: async () => [],
  })
  return world
}

function settingsOf(address: string): ProbeSettings {
  return settingsFor('http', { url: `http://${address.includes(':') ? `[${address}]` : address}/` })
}

function addressOf({ url }: Landmark): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

function answer(address: string, status: 'up' | 'down' = 'up'): CheckResult {
  return { ...resultWithout('down', 'HTTP 503 (expected 200)'), status, responseTimeMs: 5, address }
}

function silence(address: string): CheckResult {
  return { ...resultWithout('down', 'no answer within 5 s (connecting)'), address }
}

function addresses(count: number, prefix = 20): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix + i}.${i}.0.1`)
}

const PUBLIC = addresses(20)

describe('a target that fails', () => {
  test('alone among many is believed at once, and nothing else is tried', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = (address) => (address === PUBLIC[3] ? silence(address) : answer(address))
    assert.deepEqual(await world.lookAtAll([PUBLIC[3] as string]), ['down'])
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('is believed at once where few targets are watched, though all of them fail', async () => {
    const world = createWorld()
    const few = PUBLIC.slice(0, 9)
    await world.lookAtAll(few)
    world.result = silence
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(few), Array(9).fill('down'))
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('is believed at once when it is private or on this machine, however many fail', async () => {
    const world = createWorld()
    const inside = Array.from({ length: 20 }, (_, i) => `10.${i}.0.1`).concat('127.0.0.1', '::1', 'fd00::1')
    await world.lookAtAll(inside)
    world.result = silence
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(inside), Array(inside.length).fill('down'))
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('is believed with all the others when a target that answered lately can be reached', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = (address) => (address === PUBLIC[19] ? answer(address) : silence(address))
    world.reachable = (address) => address === PUBLIC[19]
    assert.deepEqual(await world.lookAtAll(PUBLIC.slice(0, 19)), Array(19).fill('down'))
    assert.ok(world.reached.includes(PUBLIC[19] as string))
    assert.deepEqual(world.notices, [])
  })

  test('is believed when it answers badly: whoever answers was reached', async () => {
    const world = createWorld()
    world.result = (address) => answer(address, 'down')
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(PUBLIC), Array(20).fill('down'))
    assert.deepEqual(world.notices, [])
  })

  test('does not count when it has been down for long', async () => {
    const world = createWorld()
    world.reachable = () => false
    for (const address of PUBLIC.slice(0, 9)) {
      world.result = (looked) => (looked === address ? silence(looked) : answer(looked))
      await world.lookAtAll([address, ...PUBLIC.slice(10)])
    }
    world.result = (address) => (PUBLIC.indexOf(address) < 10 ? silence(address) : answer(address))
    assert.deepEqual(await world.lookAtAll(PUBLIC.slice(0, 10)), Array(10).fill('down'))
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('is cancelled without a verdict when nobody waits for it any more', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = silence
    world.reachable = () => false
    await world.lookAtAll(PUBLIC.slice(0, 6))
    const result = await world.look(PUBLIC[7] as string, AbortSignal.abort())
    assert.equal(result.status, 'pending')
    assert.deepEqual(world.notices, [])
  })
})

describe('targets that fail together', () => {
  /** All of them answered, and then none does, nor can any be reached. */
  async function outage() {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = silence
    world.reachable = () => false
    const statuses = await world.lookAtAll(PUBLIC)
    return { world, statuses }
  }

  test('are pending once seven of the last ten fail and none can be reached, with one notice', async () => {
    const { world, statuses } = await outage()
    assert.deepEqual(statuses, [...Array(6).fill('down'), ...Array(14).fill('pending')])
    assert.equal((await world.look(PUBLIC[9] as string)).errorMessage, OURS)
    assert.equal(world.notices.length, 1)
    assert.match(world.notices[0] ?? '', /^our network seems to be down: /)
  })

  test('stay pending for as long as that lasts, and one look at the way out serves many', async () => {
    const { world } = await outage()
    world.nowMs += 600 * SECOND_MS
    world.reached.length = 0
    const results = await Promise.all(PUBLIC.slice(6).map((address) => world.look(address)))
    assert.deepEqual([...new Set(results.map(({ status }) => status))], ['pending'])
    assert.equal(world.reached.length, 5)
    assert.equal(world.notices.length, 1)
  })

  test('are judged again after the first answer, with a notice of the end', async () => {
    const { world } = await outage()
    world.nowMs += SECOND_MS
    world.result = (address) => (address === PUBLIC[12] ? silence(address) : answer(address))
    assert.deepEqual(await world.lookAtAll([PUBLIC[10], PUBLIC[12]] as string[]), ['up', 'down'])
    assert.equal(world.notices.length, 2)
    assert.match(world.notices[1] ?? '', /^our network works again after \d+ s; 14 checks were not judged/)
  })

  test('are judged again when the way out works, though no target answers by itself', async () => {
    const { world } = await outage()
    world.nowMs += 2 * SECOND_MS
    world.reachable = (address) => address === PUBLIC[19]
    assert.equal((await world.look(PUBLIC[12] as string)).status, 'pending', 'it began in the outage')
    world.nowMs += 2 * SECOND_MS
    assert.equal((await world.look(PUBLIC[12] as string)).status, 'down')
    assert.equal(world.notices.length, 2)
  })

  test('are not blamed for an outage that ended while they were looked at', async () => {
    const { world } = await outage()
    let end = (_: CheckResult) => {}
    world.result = (address) =>
      address === PUBLIC[15] ? new Promise<CheckResult>((resolve) => (end = resolve)) : answer(address)
    const slow = world.look(PUBLIC[15] as string)
    world.nowMs += SECOND_MS
    await world.look(PUBLIC[16] as string)
    assert.equal(world.notices.length, 2, 'the outage is over')
    end(silence(PUBLIC[15] as string))
    assert.equal((await slow).status, 'pending')
  })

  test('are noticed by their silence, before the first of them times out', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.reachable = () => false
    const ends: (() => void)[] = []
    world.result = (address) =>
      new Promise((resolve) => {
        ends.push(() => resolve(silence(address)))
      })
    const looks = PUBLIC.slice(0, 10).map((address) => world.look(address))
    world.nowMs += 30 * SECOND_MS
    for (const end of ends) end()
    const results = await Promise.all(looks)
    assert.deepEqual(
      results.map(({ status, errorMessage }) => `${status}: ${errorMessage}`),
      Array(10).fill(`pending: ${OURS}`),
    )
  })

  test('of one address family do not cast doubt on the other', async () => {
    const world = createWorld()
    const six = Array.from({ length: 12 }, (_, i) => `2a0${i.toString(16)}:1::1`)
    await world.lookAtAll([...six, ...PUBLIC])
    world.result = (address) => (address.includes(':') ? silence(address) : answer(address))
    world.reachable = (address) => !address.includes(':')
    assert.deepEqual((await world.lookAtAll(six)).slice(6), Array(6).fill('pending'))
    world.result = silence
    assert.deepEqual(await world.lookAtAll(PUBLIC.slice(0, 2)), ['down', 'down'])
  })

  test('keep their network when their names are not found any more', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.reachable = () => false
    world.result = () => resultWithout('down', 'name not found: shop.example')
    assert.deepEqual((await world.lookAtAll(PUBLIC)).slice(6), Array(14).fill('pending'))
  })
})
