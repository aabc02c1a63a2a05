import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNameServers } from '../../src/net/names/name-servers.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Scope } from '../support/scope.ts'
import { type DnsServer, type Reply, startDnsServer } from '../support/servers/dns-server.ts'
import { until } from '../support/until.ts'

const NAME = 'shop.example'
const FOUND = { kind: 'found', addresses: ['203.0.113.7'] }
const monotonicMs = () => performance.now()
const never = new AbortController().signal

const answering = (scope: Scope, reply: Reply, root: Reply = []) =>
  startDnsServer(scope, { [NAME]: reply, '': root })

const lookUpIn = (servers: DnsServer[]) =>
  createNameServers(
    servers.map(({ address }) => address),
    monotonicMs,
  ).lookUp

describe('several name servers', { concurrency: true }, () => {
  for (const state of ['SERVFAIL', 'REFUSED', 'NOTIMP', 'silence'] as const) {
    it(`are asked in turn where the first answers with ${state}, and it is left alone from then on`, async (t) => {
      const sick = await answering(t, state, state)
      const well = await answering(t, ['203.0.113.7'])
      const lookUp = lookUpIn([sick, well])
      assert.deepEqual(await lookUp(NAME, never), FOUND)
      const asked = sick.questions.length
      assert.ok(asked > 0)
      assert.deepEqual(await lookUp(NAME, never), FOUND)
      assert.equal(sick.questions.length, asked)
    })
  }

  it('are asked again in turn when the one that answered last fails', async (t) => {
    const replies: Record<string, Reply>[] = [{ [NAME]: 'SERVFAIL' }, { [NAME]: ['203.0.113.7'] }]
    const [first, second] = await Promise.all(replies.map((table) => startDnsServer(t, table)))
    assert.ok(first && second)
    const lookUp = lookUpIn([first, second])
    assert.deepEqual(await lookUp(NAME, never), FOUND)
    Object.assign(replies[0] as object, { [NAME]: ['203.0.113.7'] })
    Object.assign(replies[1] as object, { [NAME]: 'REFUSED' })
    assert.deepEqual(await lookUp(NAME, never), FOUND)
  })

  it('are not asked for a second opinion of a name that does not exist', async (t) => {
    const first = await answering(t, 'NXDOMAIN')
    const second = await answering(t, ['203.0.113.7'])
    assert.deepEqual(await lookUpIn([first, second])(NAME, never), { kind: 'not found' })
    assert.deepEqual(second.questions, [])
  })

  const everywhere: { states: Reply[]; root: Reply; found: object }[] = [
    {
      states: ['SERVFAIL', 'REFUSED'],
      root: [],
      found: { kind: 'server failed', code: 'SERVFAIL', forEveryName: false },
    },
    {
      states: ['REFUSED', 'REFUSED'],
      root: 'REFUSED',
      found: { kind: 'server failed', code: 'REFUSED', forEveryName: true },
    },
    {
      states: ['SERVFAIL', 'SERVFAIL'],
      root: 'NXDOMAIN',
      found: { kind: 'server failed', code: 'SERVFAIL', forEveryName: true },
    },
  ]
  for (const { states, root, found } of everywhere) {
    it(`say ${JSON.stringify(found)} by ${states.join(', then ')}, of the root ${root || 'its servers'}`, async (t) => {
      const servers = await Promise.all(states.map((state) => answering(t, state, root)))
      assert.deepEqual(await lookUpIn(servers)(NAME, never), found)
    })
  }

  it('are silent about every name when none says anything of the root', async (t) => {
    const servers = await Promise.all([1, 2].map(() => answering(t, 'silence', 'silence')))
    const giveUp = new AbortController()
    const found = lookUpIn(servers)(NAME, giveUp.signal)
    await until('each to be asked for both', () =>
      servers.every(({ questions }) => questions.includes(`${NAME} A`) && questions.includes(' NS')),
    )
    giveUp.abort()
    assert.deepEqual(await found, { kind: 'silent', forEveryName: true })
  })
})

describe('a name server that knows no such name', { concurrency: true }, () => {
  // An answer that a busy machine reads late raises no doubt of its own.
  const openOver = (servers: DnsServer[]) =>
    createNameServers(
      servers.map(({ address }) => address),
      monotonicMs,
      { queryMs: HANG_GUARD_MS, doubtMs: HANG_GUARD_MS, rootMs: HANG_GUARD_MS },
    )
  const roots: [root: Reply, isDenied: boolean][] = [
    ['NXDOMAIN', true],
    [[], false],
    ['REFUSED', false],
    ['SERVFAIL', false],
  ]
  for (const [root, isDenied] of roots) {
    it(`${isDenied ? 'is sick' : 'is believed'} when it says ${JSON.stringify(root)} of the root`, async (t) => {
      const { lookUp, isRootDenied } = openOver([await answering(t, 'NXDOMAIN', root)])
      assert.deepEqual(await lookUp(NAME, never), { kind: 'not found' })
      assert.equal(await isRootDenied(NAME, never), isDenied)
    })
  }

  it('is asked about the root once for many names', async (t) => {
    const server = await answering(t, 'NXDOMAIN', 'NXDOMAIN')
    const { lookUp, isRootDenied } = openOver([server])
    const names = Array.from({ length: 20 }, (_, i) => `${i}.${NAME}`)
    for (const name of names) await lookUp(name, never)
    assert.ok(!server.questions.includes(' NS'), 'an ordinary look-up asks nothing else')
    assert.deepEqual(await Promise.all(names.map((name) => isRootDenied(name, never))), Array(20).fill(true))
    assert.equal(server.questions.filter((question) => question === ' NS').length, 1)
  })

  it('is asked last once it has denied the root, where another one works', async (t) => {
    const sick = await answering(t, 'NXDOMAIN', 'NXDOMAIN')
    const well = await answering(t, ['203.0.113.7'])
    const { lookUp, isRootDenied } = openOver([sick, well])
    assert.deepEqual(await lookUp(NAME, never), { kind: 'not found' })
    assert.equal(await isRootDenied(NAME, never), true)
    assert.deepEqual(await lookUp(NAME, never), FOUND)
  })

  it('is believed where only another one is sick', async (t) => {
    const well = await answering(t, 'NXDOMAIN')
    const sick = await answering(t, 'NXDOMAIN', 'NXDOMAIN')
    const { lookUp, isRootDenied } = openOver([well, sick])
    assert.deepEqual(await lookUp(NAME, never), { kind: 'not found' })
    assert.equal(await isRootDenied(NAME, never), false)
  })
})
