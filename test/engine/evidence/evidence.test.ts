import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { createEvidenceGuard } from '../../../src/engine/evidence/evidence.ts'
import { createNetworkNotices } from '../../../src/engine/evidence/network-notices.ts'
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
  /** Where a name leads, when it is asked as a witness. */
  leadsTo: Record<string, string>
  isRootDenied: boolean
  rootAsked: number
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
    leadsTo: {},
    isRootDenied: false,
    rootAsked: 0,
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
    reach: async (landmark, address) => {
      const host = address ?? addressOf(landmark)
      world.reached.push(host)
      return (await world.reachable(host)) ? (world.leadsTo[host] ?? host) : null
    },
    find: async (name) => {
      world.reached.push(name)
      return (await world.reachable(name)) ? [world.leadsTo[name] ?? '20.0.0.1'] : []
    },
    isRootDenied: async () => {
      world.rootAsked++
      return world.isRootDenied
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

function settingsOf(address: string): ProbeSettings<'http'> {
  return settingsFor('http', { url: `http://${address.includes(':') ? `[${address}]` : address}/` })
}

function addressOf({ url }: { url: string }): string {
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

    test('is not believed where another was late as well, though others were answered', async () => {
      const { first, again, notices } = await silenceAmong([
        { afterMs: 5, address: B },
        { afterMs: 400, address: C },
        { afterMs: 800, address: D },
      ])
      assert.deepEqual([first.status, again.status], ['pending', 'down'])
      assert.deepEqual(notices, [])
    })

    test('is believed where all others were answered as ever', async () => {
      const quick = [B, C, D].map((address) => ({ afterMs: 400, address }))
      const { first } = await silenceAmong(quick)
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
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(SHOPS)
    return world
  }

  test("is the target's when names of other domains are found", async () => {
    const world = await lookedUp()
    world.result = (name) => named(name, name === SHOPS[0] ? null : '20.0.0.1')
    assert.deepEqual(await world.lookAtAll(SHOPS), ['down', 'up', 'up', 'up'])
    assert.deepEqual(world.notices, [])
  })

  test('is ours when none of those that were found lately is found', async () => {
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
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(names)
    world.result = (name) => named(name, null)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(names), ['down', 'down'])
  })
})

describe('what is undecided for long', () => {
  const noWay = (address = PUBLIC[0] ?? ''): CheckResult => ({
    ...resultWithout('pending', 'no network here'),
    address,
    causeIfTheirs: `no route to ${address}`,
  })
  const LIMIT_MS = 2 * (60 + 5) * SECOND_MS

  test('is down, and no fault of ours, while others answer over the same way', async () => {
    const world = createWorld()
    world.result = (address) => (address === PUBLIC[0] ? noWay() : answer(address))
    assert.deepEqual(await world.lookAtAll([PUBLIC[0], PUBLIC[1]] as string[]), ['pending', 'up'])
    assert.deepEqual(await world.lookAtAll([PUBLIC[1], PUBLIC[0]] as string[]), ['up', 'pending'])
    world.nowMs += LIMIT_MS
    await world.look(PUBLIC[1] as string)
    const result = await world.look(PUBLIC[0] as string)
    assert.deepEqual([result.status, result.errorMessage], ['down', `no route to ${PUBLIC[0]}`])
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

describe('a witness counts only for what shares its way', () => {
  const LIMIT_MS = 2 * (60 + 5) * SECOND_MS
  const SIX = Array.from({ length: 4 }, (_, i) => `2a0${i}:1::1`)
  const INSIDE = ['127.0.0.1', '::1', '10.1.0.1', '192.168.1.1', 'fd00::1', '100.64.0.1']
  const noWay = (address: string): CheckResult => ({
    ...resultWithout('pending', 'no network here'),
    address,
    causeIfTheirs: `no route to ${address}`,
  })
  const serversFail = (name: string): CheckResult => ({
    ...resultWithout('pending', 'no name server of ours answers'),
    name,
    causeIfTheirs: `name server did not answer for ${name}`,
  })

  /** Goes round for three times the bound; returns what was found at the end, and the number of notices. */
  async function goRound(world: World, targets: string[]) {
    const perRound = 20 * SECOND_MS
    for (let passed = 0; passed < 3 * LIMIT_MS; passed += perRound) {
      world.nowMs += perRound
      await world.lookAtAll(targets)
    }
    const found = new Map<string, CheckResult>()
    for (const target of targets) found.set(target, await world.look(target))
    return found
  }
  const statusesOf = (found: Map<string, CheckResult>, targets: readonly string[]) =>
    targets.map((target) => found.get(target)?.status)

  test('none inside ends the doubt in a route that this machine lost, for as long as that lasts', async () => {
    const world = createWorld()
    const outside = PUBLIC.slice(0, 5)
    await world.lookAtAll([...outside, ...INSIDE])
    world.result = (address) => (outside.includes(address) ? noWay(address) : answer(address))
    const found = await goRound(world, [...outside, ...INSIDE])
    assert.deepEqual(statusesOf(found, outside), Array(5).fill('pending'))
    assert.deepEqual(statusesOf(found, INSIDE), Array(INSIDE.length).fill('up'))
    assert.match(world.notices.join(), /^a target has not been judged for longer [^,]*$/)
    world.result = answer
    assert.deepEqual(await world.lookAtAll(outside), Array(5).fill('up'))
    assert.equal(world.notices.length, 2)
  })

  test('IPv4 says nothing of IPv6, nor IPv6 of IPv4', async () => {
    for (const [lost, well] of [
      [SIX, PUBLIC.slice(0, 4)],
      [PUBLIC.slice(0, 4), SIX],
    ] as const) {
      const world = createWorld()
      await world.lookAtAll([...lost, ...well])
      world.result = (address) => (lost.includes(address) ? noWay(address) : answer(address))
      const found = await goRound(world, [...lost, ...well])
      assert.deepEqual(statusesOf(found, lost), Array(4).fill('pending'))
    }
  })

  test('one host without a way is told after the bound, in either family, in words about the host', async () => {
    for (const all of [PUBLIC.slice(0, 4), SIX]) {
      const world = createWorld()
      const [lost = '', ...well] = all
      world.result = (address) => (address === lost ? noWay(address) : answer(address))
      const found = await goRound(world, [lost, ...well])
      const { causeIfTheirs, ...failed } = noWay(lost)
      assert.deepEqual(found.get(lost), { ...failed, status: 'down', errorMessage: causeIfTheirs })
    }
  })

  test('a private host without a way is told by another private one, and by nothing else', async () => {
    for (const [well, status] of [
      ['10.2.0.1', 'down'],
      ['127.0.0.1', 'pending'],
      [PUBLIC[0] ?? '', 'pending'],
    ] as const) {
      const world = createWorld()
      world.result = (address) => (address === '10.1.0.1' ? noWay(address) : answer(address))
      const found = await goRound(world, ['10.1.0.1', well])
      assert.equal(found.get('10.1.0.1')?.status, status, well)
    }
  })

  test('names inside say nothing of public ones, however our name servers fail', async () => {
    const outside = ['www.one.test', 'www.two.co.uk', 'www.three.co.uk']
    const inside: Record<string, string> = {
      'wiki.corp': '20.0.0.1',
      'db.company.test': '10.0.0.9',
      intranet: '10.0.0.8',
    }
    for (const failing of [serversFail, (name: string) => named(name, null)]) {
      const world = createWorld()
      world.result = (name) => named(name, inside[name] ?? '20.0.0.1')
      await world.lookAtAll([...outside, ...Object.keys(inside)])
      world.result = (name) => (outside.includes(name) ? failing(name) : named(name, inside[name] ?? null))
      world.reachable = (name) => !outside.includes(name)
      const found = await goRound(world, [...outside, ...Object.keys(inside)])
      assert.deepEqual(statusesOf(found, outside), Array(3).fill('pending'))
      assert.deepEqual(statusesOf(found, Object.keys(inside)), Array(3).fill('up'))
      assert.equal(world.notices.length, 1, world.notices.join())
    }
  })

  test('a name inside that fails is believed as it is, whatever public ones do', async () => {
    const world = createWorld()
    const names = ['wiki.company.test', 'www.one.test', 'www.two.test']
    world.result = (name) => named(name, name === 'wiki.company.test' ? '10.0.0.9' : '20.0.0.1')
    await world.lookAtAll(names)
    world.result = (name) => named(name, null)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(names), ['down', 'pending', 'pending'])
  })

  test('two shops below one public suffix are two', async () => {
    const world = createWorld()
    const shops = ['www.one.co.uk', 'www.two.co.uk']
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(shops)
    world.result = (name) => named(name, null)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(shops), ['pending', 'pending'])
  })

  test('a public name that leads inside is none: something answers in the place of our name servers', async () => {
    const world = createWorld()
    const shops = ['www.one.test', 'www.two.test']
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(shops)
    world.result = (name) => named(name, null)
    world.leadsTo = { 'www.one.test': '192.168.1.1', 'www.two.test': '192.168.1.1' }
    assert.deepEqual(await world.lookAtAll(shops), ['pending', 'pending'])
  })

  test('a target with both families is a witness at the address where it was reached, not at the other', async () => {
    const world = createWorld()
    const [six = '', other = ''] = SIX
    const dual = 'www.dual.test'
    const found = (host: string): CheckResult => (host === dual ? named(dual, six) : answer(host))
    world.result = found
    await world.lookAtAll([dual, other])
    world.result = (host) => (host === other ? silence(host) : found(host))
    // Its name leads to IPv4 now, which works.
    world.reachable = (host) => host === dual
    world.leadsTo = { [dual]: PUBLIC[0] ?? '' }
    assert.deepEqual(await world.lookAtAll([other]), ['pending'])
    world.leadsTo = { [dual]: six }
    world.nowMs += 2 * SECOND_MS
    await world.lookAtAll([other])
    world.nowMs += 2 * SECOND_MS
    assert.deepEqual(await world.lookAtAll([other]), ['down'])
  })

  test('a target that fails over both families is believed by one that works', async () => {
    const [six = ''] = SIX
    const failing = PUBLIC[0] ?? ''
    const world = createWorld()
    await world.lookAtAll([...SIX, ...PUBLIC.slice(0, 4)])
    world.result = (address) =>
      address === failing ? { ...silence(six), otherAddress: failing } : answer(address)
    world.reachable = (address) => !address.includes(':')
    assert.deepEqual(await world.lookAtAll([failing]), ['down'])
    world.result = answer
    await world.lookAtAll([failing])
    world.result = (address) =>
      address === failing ? { ...silence(six), otherAddress: failing } : answer(address)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll([failing]), ['pending'])
  })
})

describe('a name server that denies every name', () => {
  const NAMES = ['www.shop.test', 'api.shop.test']

  async function denied(isRootDenied: boolean) {
    const world = createWorld()
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(NAMES)
    world.result = (name) => named(name, null)
    world.reachable = () => false
    world.isRootDenied = isRootDenied
    return world
  }

  test('is believed of names of one domain unless it denies the root as well', async () => {
    const world = await denied(false)
    assert.deepEqual(await world.lookAtAll(NAMES), ['down', 'down'])
    assert.deepEqual([world.rootAsked, world.notices], [2, []])
  })

  test('is not believed when it denies the root, with one notice, until it is well', async () => {
    const world = await denied(true)
    for (let round = 0; round < 5; round++)
      assert.deepEqual(await world.lookAtAll(NAMES), ['pending', 'pending'])
    assert.match(world.notices.join(), /^our name servers seem to be down: [^,]*$/)
    world.isRootDenied = false
    world.nowMs += 2 * SECOND_MS
    await world.lookAtAll(NAMES)
    assert.deepEqual(await world.lookAtAll(NAMES), ['down', 'down'])
    assert.equal(world.notices.length, 2)
  })

  test('is found out for the name servers as well, so that they ask a better one next', async () => {
    const world = createWorld()
    const names = ['www.one.test', 'www.two.test']
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(names)
    world.result = (name) => named(name, null)
    world.reachable = () => false
    assert.deepEqual(await world.lookAtAll(names), ['pending', 'pending'])
    assert.equal(world.rootAsked, 2)
  })

  test('is not asked for the root where there are others, or for names inside', async () => {
    const world = createWorld()
    world.isRootDenied = true
    const names = ['www.one.test', 'www.two.test', 'wiki.corp']
    world.result = (name) => named(name, '20.0.0.1')
    await world.lookAtAll(names)
    world.result = (name) => named(name, name === 'www.two.test' ? '20.0.0.1' : null)
    assert.deepEqual(await world.lookAtAll(names), ['down', 'up', 'down'])
    assert.equal(world.rootAsked, 0)
  })
})

describe('a way that loses packets', () => {
  test('excuses each of several silences once, and a real outage of several is told at the second', async () => {
    const world = createWorld()
    await world.lookAtAll(PUBLIC)
    const out = new Set(PUBLIC.slice(0, 3))
    world.result = async (address) => {
      if (!out.has(address)) return answer(address)
      world.nowMs += SECOND_MS
      return silence(address)
    }
    const lost = [...out]
    const first = await Promise.all(lost.map((address) => world.look(address)))
    assert.ok(first.some(({ status }) => status === 'pending'))
    await world.lookAtAll(PUBLIC.slice(5, 8))
    const second = await Promise.all(lost.map((address) => world.look(address)))
    assert.deepEqual(
      second.map(({ status }) => status),
      ['down', 'down', 'down'],
    )
    assert.deepEqual(world.notices, [])
  })

  test('excuses a look-up that got no answer, when others were late, and believes the second', async () => {
    const world = createWorld()
    const names = ['www.one.test', 'www.two.test', 'www.three.test']
    const found = (host: string) => (names.includes(host) ? named(host, '40.0.0.1') : answer(host))
    world.result = found
    await world.lookAtAll([...PUBLIC.slice(0, 4), ...names])
    const [lost = '', ...others] = names
    for (const [lateMs, status] of [
      [10, 'down'],
      [1_100, 'pending'],
      [1_100, 'down'],
    ] as const) {
      world.result = async (host) => {
        if (host !== lost) return found(host)
        await world.look(PUBLIC[1] as string)
        world.nowMs += 1_500
        return { ...resultWithout('down', 'no answer within 2 s (looking up the name)'), name: lost }
      }
      const asking = world.result
      world.result = async (host) => {
        if (host !== PUBLIC[1]) return asking(host)
        world.nowMs += lateMs
        return answer(host)
      }
      assert.equal((await world.look(lost)).status, status, `${lateMs}`)
      if (status === 'pending') continue
      world.result = found
      await world.lookAtAll([...others, ...PUBLIC.slice(0, 4), lost])
    }
  })

  test('is no excuse for one among many that answer, because another of them is late', async () => {
    const world = createWorld()
    const many = addresses(200)
    await world.lookAtAll(many)
    const [silent = '', late = ''] = many
    let end = (_: CheckResult) => {}
    world.result = (address) =>
      address === silent ? new Promise<CheckResult>((resolve) => (end = resolve)) : answer(address)
    const failing = world.look(silent)
    for (let i = 0; i < 100; i++) {
      world.nowMs += 10
      await world.look(many[i + 2] as string)
    }
    world.result = async (address) => {
      world.nowMs += 400
      await world.look(many[150] as string)
      world.nowMs += 400
      return answer(address)
    }
    const { result } = world
    world.result = (address) => (address === late ? result(address) : answer(address))
    await world.look(late)
    world.nowMs += SECOND_MS
    end(silence(silent))
    assert.equal((await failing).status, 'down')
  })
})

/** Lets what is under way go as far as it can. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
}
