import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { createEvidenceGuard } from '../../../src/engine/evidence/evidence.ts'
import { createNetworkNotices } from '../../../src/engine/evidence/network-notices.ts'
import type { Landmark } from '../../../src/engine/evidence/way.ts'
import { publicNetworkOf } from '../../../src/net/public-network.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'

const SECOND_MS = 1_000
const OURS = 'our network seems to be down'

type World = {
  nowMs: number
  /** The behavior of each address when it is checked; an address that is not listed answers. */
  result: (address: string) => CheckResult | Promise<CheckResult>
  reachable: (host: string) => boolean | Promise<boolean>
  reached: string[]
  notices: string[]
  overdue(): number
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
    overdue: () => guard.overdue(),
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
  const guard = createEvidenceGuard({
    probe: async (settings) => world.result(addressOf(settings)),
    networkOf: publicNetworkOf,
    reach: async (landmark) => {
      world.reached.push(addressOf(landmark))
      return world.reachable(addressOf(landmark))
    },
    findsName: async (name) => {
      world.reached.push(name)
      return world.reachable(name)
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

/** The result of a check of a name, found or not. */
function named(name: string, address: string | null): CheckResult {
  if (address !== null) return { ...answer(address), name }
  return { ...resultWithout('down', `name not found: ${name}`), name }
}

describe('a failure of the way', () => {
  test('is believed at once when something else that was well is reached after it', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = (address) => (address === PUBLIC[3] ? silence(address) : answer(address))
    assert.deepEqual(await world.lookAtAll([PUBLIC[3] as string]), ['down'])
    assert.ok(world.reached.length > 0 && !world.reached.includes(PUBLIC[3] as string))
    assert.deepEqual(world.notices, [])
  })

  test('is believed by the next check that is answered, while the look at others goes on', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.reachable = () => new Promise<boolean>(() => {})
    world.result = (address) => (address === PUBLIC[3] ? silence(address) : answer(address))
    const failing = world.look(PUBLIC[3] as string)
    await turns()
    await world.look(PUBLIC[4] as string)
    assert.equal((await failing).status, 'down')
  })

  test('is not believed by a check that began before it', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    let end = (_: CheckResult) => {}
    world.result = (address) =>
      address === PUBLIC[4] ? new Promise<CheckResult>((resolve) => (end = resolve)) : silence(address)
    const early = world.look(PUBLIC[4] as string)
    world.nowMs += 1
    const looks: ((isReached: boolean) => void)[] = []
    world.reachable = () => new Promise<boolean>((resolve) => looks.push(resolve))
    const failing = world.look(PUBLIC[3] as string)
    await turns()
    end(answer(PUBLIC[4] as string))
    await early
    for (const end of looks) end(false)
    assert.equal((await failing).status, 'pending')
  })

  describe('that others share for a moment', () => {
    /** All are asked at the same moment; `scene` answers some later. */
    async function silenceAmong(answers: { afterMs: number; address: string }[], usualMs = 5) {
      const world = createWorld()
      world.result = (address) => {
        world.nowMs += usualMs
        return answer(address)
      }
      await world.lookAtAll(PUBLIC.slice(0, 4))
      world.nowMs += SECOND_MS
      const askedMs = world.nowMs
      const ends = new Map<string, (result: CheckResult) => void>()
      world.result = (address) => new Promise((resolve) => ends.set(address, resolve))
      const [silent = '', ...others] = PUBLIC.slice(0, 4)
      const looks = new Map([silent, ...others].map((address) => [address, world.look(address)]))
      for (const { afterMs, address } of answers) {
        world.nowMs = askedMs + afterMs
        ends.get(address)?.(answer(address))
        await looks.get(address)
      }
      world.nowMs = askedMs + 5 * SECOND_MS
      ends.get(silent)?.(silence(silent))
      const first = (await looks.get(silent)) as CheckResult
      world.result = (address) => (address === silent ? silence(address) : answer(address))
      return { first, again: await world.look(silent), notices: world.notices }
    }
    const [, B = '', C = '', D = ''] = PUBLIC

    test('is not believed, and at the second time it is', async () => {
      const late = [B, C, D].map((address) => ({ afterMs: 1_010, address }))
      const { first, again, notices } = await silenceAmong(late)
      assert.deepEqual(
        [first.status, first.errorMessage],
        ['pending', 'our network seems to have been down for a moment'],
      )
      assert.equal(again.status, 'down')
      assert.deepEqual(notices, [])
    })

    test('is believed where somebody was answered all the time', async () => {
      const { first } = await silenceAmong([
        { afterMs: 400, address: B },
        { afterMs: 800, address: C },
        { afterMs: 1_200, address: D },
      ])
      assert.equal(first.status, 'down')
    })

    test('is believed where the others are never faster', async () => {
      const slow = [B, C, D].map((address) => ({ afterMs: 1_010, address }))
      const { first } = await silenceAmong(slow, 900)
      assert.equal(first.status, 'down')
    })
  })

  test('is believed of nearly all, as when their outage is planned, and of the others then', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    const [planned, [last = '', other = '']] = [PUBLIC.slice(0, 18), PUBLIC.slice(18)]
    const failing = new Set(planned)
    world.result = (address) => (failing.has(address) ? silence(address) : answer(address))
    world.reachable = (address) => !failing.has(address)
    const during = planned.map(() => 'down')
    // Targets tried at once may be among them: by the next round a regular check has reached the others.
    await world.lookAtAll(PUBLIC)
    assert.deepEqual(await world.lookAtAll(PUBLIC), [...during, 'up', 'up'])
    // Whether a window applies is not asked here: at its end a failure is as certain as inside.
    assert.deepEqual(await world.lookAtAll(planned), during)
    failing.add(last)
    assert.deepEqual(await world.lookAtAll([last, other, last]), ['down', 'up', 'down'])
    assert.equal(world.overdue(), 0)
  })

  test('is believed where only one network is known: nothing else can be known', async () => {
    const world = createWorld()
    await world.lookAtAll(['20.0.0.1', '20.0.7.7'])
    world.result = silence
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(['20.0.0.1', '20.0.7.7']), ['down', 'down'])
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('is ours when two networks are known and neither is reached', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC.slice(0, 2))
    world.result = silence
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(PUBLIC.slice(0, 2)), ['pending', 'pending'])
    assert.equal(world.notices.length, 1)
  })

  test('is believed when it is private or on this machine, however many fail', async () => {
    const world = createWorld()
    const inside = Array.from({ length: 20 }, (_, i) => `10.${i}.0.1`).concat('127.0.0.1', '::1', 'fd00::1')
    await world.lookAtAll(inside)
    world.result = silence
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(inside), Array(inside.length).fill('down'))
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('is none where the target answers badly: whoever answers was reached', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = (address) => answer(address, 'down')
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(PUBLIC), Array(20).fill('down'))
    assert.deepEqual([world.reached, world.notices], [[], []])
  })

  test('that goes on is believed without another look', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = (address) => (address === PUBLIC[3] ? silence(address) : answer(address))
    await world.lookAtAll([PUBLIC[3] as string])
    world.reached.length = 0
    assert.deepEqual(await world.lookAtAll([PUBLIC[3] as string]), ['down'])
    assert.deepEqual(world.reached, [])
  })

  test('is cancelled without a verdict when nobody waits for it any more', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = silence
    world.reachable = () => false
    const result = await world.look(PUBLIC[7] as string, AbortSignal.abort())
    assert.equal(result.status, 'pending')
    assert.deepEqual(world.notices, [])
  })
})

describe('failures for want of our own way', () => {
  /** All of them answered, and then none does, nor can any be reached. */
  async function outage() {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    world.result = silence
    world.reachable = () => false
    const statuses = await world.lookAtAll(PUBLIC)
    return { world, statuses }
  }

  test('are pending from the first on, with one notice', async () => {
    const { world, statuses } = await outage()
    assert.deepEqual(statuses, Array(20).fill('pending'))
    assert.equal((await world.look(PUBLIC[9] as string)).errorMessage, OURS)
    assert.equal(world.notices.length, 1)
    assert.match(world.notices[0] ?? '', /^our network seems to be down: /)
  })

  test('stay pending for as long as that lasts, and one look at the others serves many', async () => {
    const { world } = await outage()
    world.nowMs += 600 * SECOND_MS
    world.reached.length = 0
    const results = await Promise.all(PUBLIC.map((address) => world.look(address)))
    assert.deepEqual([...new Set(results.map(({ status }) => status))], ['pending'])
    assert.equal(world.reached.length, 5)
    assert.equal(world.notices.length, 1)
  })

  test('are judged again after the first answer, with a notice of the end', async () => {
    const { world } = await outage()
    world.nowMs += SECOND_MS
    world.reachable = () => true
    world.result = (address) => (address === PUBLIC[12] ? silence(address) : answer(address))
    assert.deepEqual(await world.lookAtAll([PUBLIC[10], PUBLIC[12]] as string[]), ['up', 'down'])
    assert.equal(world.notices.length, 2)
    assert.match(world.notices[1] ?? '', /^our network works again after \d+ s; 20 checks were not judged/)
  })

  test('are judged again when the way works, though no target answers by itself', async () => {
    const { world } = await outage()
    world.nowMs += 2 * SECOND_MS
    world.reachable = (address) => address === PUBLIC[19]
    assert.equal((await world.look(PUBLIC[12] as string)).status, 'pending', 'it began in the outage')
    world.nowMs += 2 * SECOND_MS
    assert.equal((await world.look(PUBLIC[12] as string)).status, 'down')
    assert.equal(world.notices.length, 2)
  })

  test('are not the targets for an outage that ended while they were looked at', async () => {
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

  test('of one address family do not cast doubt on the other', async () => {
    const world = createWorld()
    const six = Array.from({ length: 12 }, (_, i) => `2a0${i.toString(16)}:1::1`)
    await world.lookAtAll([...six, ...PUBLIC])
    world.result = (address) =>
      address.includes(':') || address === PUBLIC[0] ? silence(address) : answer(address)
    world.reachable = (address) => !address.includes(':')
    assert.deepEqual(await world.lookAtAll(six), Array(12).fill('pending'))
    assert.deepEqual(await world.lookAtAll(PUBLIC.slice(0, 2)), ['down', 'up'])
  })
})

describe('a failed look-up', () => {
  const SHOPS = ['shop.one.example', 'shop.two.example', 'shop.three.example', 'shop.four.example'].map(
    (name) => name.replace('.example', `${name.length}.test`),
  )

  async function lookedUp() {
    const world = createWorld()
    world.result = (name) => named(name, '10.0.0.1')
    await world.lookAtAll(SHOPS)
    return world
  }

  test("is the target's when names of other domains are found", async () => {
    const world = await lookedUp()
    world.result = (name) => named(name, name === SHOPS[0] ? null : '10.0.0.1')
    assert.deepEqual(await world.lookAtAll(SHOPS), ['down', 'up', 'up', 'up'])
    assert.deepEqual(world.notices, [])
  })

  test('is ours when none of those that were found lately is found, whatever their addresses were', async () => {
    const world = await lookedUp()
    world.result = (name) => named(name, null)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(SHOPS), Array(4).fill('pending'))
    assert.equal((await world.look(SHOPS[0] as string)).errorMessage, 'our name servers seem to be down')
    assert.equal(world.notices.length, 1)
    assert.match(world.notices[0] ?? '', /^our name servers seem to be down: /)
  })

  test('is believed where all names are of one domain', async () => {
    const world = createWorld()
    const names = ['www.shop.test', 'api.shop.test']
    world.result = (name) => named(name, '10.0.0.1')
    await world.lookAtAll(names)
    world.result = (name) => named(name, null)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(names), ['down', 'down'])
  })
})

describe('what is undecided for long', () => {
  const noWay = (): CheckResult => ({ ...resultWithout('pending', 'no network here'), isOfTheWay: true })
  const LIMIT_MS = 2 * (60 + 5) * SECOND_MS

  test('is down with the reason it has while anything else answers', async () => {
    const world = createWorld()
    world.result = (address) => (address === PUBLIC[0] ? noWay() : answer(address))
    assert.deepEqual(await world.lookAtAll([PUBLIC[0], PUBLIC[1]] as string[]), ['pending', 'up'])
    assert.deepEqual(await world.lookAtAll([PUBLIC[1], PUBLIC[0]] as string[]), ['up', 'pending'])
    world.nowMs += LIMIT_MS
    await world.look(PUBLIC[1] as string)
    const result = await world.look(PUBLIC[0] as string)
    assert.deepEqual([result.status, result.errorMessage], ['down', 'no network here'])
    assert.equal(world.overdue(), 1)
    assert.match(world.notices.join(), /^a target has not been judged for longer .*: no network here$/)
  })

  test('stays undecided while nothing else answers', async () => {
    const world = createWorld()
    world.result = noWay
    await world.look(PUBLIC[0] as string)
    world.nowMs += 10 * LIMIT_MS
    assert.equal((await world.look(PUBLIC[0] as string)).status, 'pending')
  })

  test('stays undecided where our own means were lacking until lately', async () => {
    const world = createWorld()
    const full = () => resultWithout('pending', 'out of file descriptors')
    const both = [PUBLIC[1], PUBLIC[0]] as string[]
    for (const failing of [noWay, full, noWay]) {
      world.result = (address) => (address === PUBLIC[0] ? failing() : answer(address))
      assert.deepEqual(await world.lookAtAll(both), ['up', 'pending'])
      world.nowMs += LIMIT_MS / 2 + 2 * SECOND_MS
    }
    assert.deepEqual(await world.lookAtAll(both), ['up', 'pending'])
    world.nowMs += LIMIT_MS
    assert.deepEqual(await world.lookAtAll(both), ['up', 'down'])
  })

  test('stays undecided for want of our own means, and the operator hears of it once', async () => {
    const world = createWorld()
    const full = () => resultWithout('pending', 'out of file descriptors')
    world.result = (address) => (address === PUBLIC[0] ? full() : answer(address))
    await world.look(PUBLIC[0] as string)
    for (let i = 0; i < 3; i++) {
      world.nowMs += LIMIT_MS
      assert.deepEqual(await world.lookAtAll([PUBLIC[1], PUBLIC[0]] as string[]), ['up', 'pending'])
    }
    world.result = answer
    await world.look(PUBLIC[0] as string)
    assert.deepEqual(world.notices, [
      'a target has not been judged for longer than two intervals and two time-outs: out of file descriptors',
      'every target is judged again after 264 s',
    ])
    assert.equal(world.overdue(), 0)
  })
})

/** Lets what is under way go as far as it can. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
}
