import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { bsonOf, documentIn, type JsonDocument } from '../../../src/probes/databases/bson.ts'
import { Cursor } from '../../../src/probes/packets/cursor.ts'
import { error, reply, speakMongodb } from '../../support/databases/mongodb.ts'
import { freePort } from '../../support/free-port.ts'
import { type LineServerOptions, startLineServer } from '../../support/line-servers/line-server.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { type Reply, startDnsServer } from '../../support/servers/dns-server.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { turnClock } from '../../support/time/turned-clock.ts'

const USER = { name: 'wat,cher', password: 'pä ss"word-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }
const authority = createAuthority('Members')
const network = testNetwork()

type Settings = Partial<ProbeSettings> & { username?: string | null; options?: MonitorOptions }

const start = (t: TestContext, server: LineServerOptions = {}) =>
  startLineServer(t, speakMongodb, { user: USER, ...server })
const ask = (url: string, settings: Settings = {}, through = network) =>
  check('mongodb', { url, ...SIGNED_IN, ...settings } as Settings, { network: through })
const expecting = (source: 'answer' | 'json', target: Assertion['target'], property?: string): Assertion => ({
  ...{ source, comparison: 'equals', target: target ?? null, severity: 'down' },
  ...(property !== undefined && { property }),
})

/** The commands that a server heard, without those of the sign-in. */
function commandsOf({ heard }: Awaited<ReturnType<typeof start>>): JsonDocument[] {
  return heard
    .map(({ line }) => documentIn(new Cursor(Buffer.from(line, 'latin1').subarray(21))))
    .filter((one) => !('hello' in one || 'saslStart' in one || 'saslContinue' in one))
}

describe('a check of MongoDB signs in', () => {
  for (const signIns of [
    ['SCRAM-SHA-256'],
    ['SCRAM-SHA-1'],
    ['SCRAM-SHA-1', 'SCRAM-SHA-256'],
    ['SCRAM-SHA-256', 'wants an empty exchange'],
    ['SCRAM-SHA-1', 'knows no hello'],
  ])
    it(`by ${signIns.join(', ')}`, async (t) => {
      const { port } = await start(t, { signIns })
      const right = await ask(`mongodb://127.0.0.1:${port}`)
      assert.deepEqual([right.status, right.errorMessage], ['up', null])
      const wrong = await ask(`mongodb://127.0.0.1:${port}`, { password: 'other-word' } as Settings)
      assert.equal(wrong.errorMessage, 'MongoDB: sign-in refused ("Authentication failed.")')
    })

  it('by no way that it does not know, nor with a server that does not know the password', async (t) => {
    const other = await start(t, { signIns: ['MONGODB-X509'] })
    const result = await ask(`mongodb://127.0.0.1:${other.port}`)
    assert.equal(result.errorMessage, 'MongoDB: the server offers no sign-in with a user name and a password')
    const liar = await start(t, { signIns: ['SCRAM-SHA-256', 'knows no password itself'] })
    assert.equal((await ask(`mongodb://127.0.0.1:${liar.port}`)).errorMessage, 'MongoDB: invalid answer')
  })

  it('only where the monitor has a user', async (t) => {
    const { port, heard } = await start(t)
    const result = await ask(`mongodb://127.0.0.1:${port}`, { username: null })
    assert.deepEqual([result.status, heard.length], ['up', 2])
    const asked = await ask(`mongodb://127.0.0.1:${port}`, {
      username: null,
      options: { query: '{"count": "a"}' },
    })
    assert.equal(asked.errorMessage, 'MongoDB: query failed ("command count requires authentication")')
  })

  it('at the database of authSource, of the path, or admin', async (t) => {
    const server = await start(t)
    const at = `mongodb://127.0.0.1:${server.port}`
    const [counts, options] = ['{"count": "jobs"}', { database: 'shop' }]
    await ask(at, { options: { query: counts } })
    await ask(`${at}/shop`, { options: { query: counts } })
    await ask(`${at}/shop?authSource=people`, { options: { query: counts } })
    await ask(at, { options: { query: counts, ...options } })
    const places = server.heard
      .map(({ line }) => documentIn(new Cursor(Buffer.from(line, 'latin1').subarray(21))))
      .filter((one) => 'saslStart' in one || 'count' in one)
      .map(({ $db }) => $db)
    assert.deepEqual(places, ['admin', 'admin', 'shop', 'shop', 'people', 'shop', 'admin', 'shop'])
  })
})

describe('a query of MongoDB', () => {
  const asking = (port: number, query: string, assertions: Assertion[] = [], more: MonitorOptions = {}) =>
    ask(`mongodb://127.0.0.1:${port}/shop`, {
      request_timeout_seconds: 10,
      options: { query, assertions, ...more },
    })

  it('gives the first value of the first document, and the whole reply', async (t) => {
    const { port } = await start(t)
    const found = [expecting('answer', 'stuck'), expecting('json', 'done', '$.cursor.firstBatch[1].state')]
    const result = await asking(port, '{"find": "jobs"}', found)
    assert.deepEqual([result.status, result.errorMessage], ['up', null])
    const counted = await asking(port, '{"count": "jobs"}', [expecting('answer', '0')])
    assert.equal(counted.errorMessage, 'answer is "7" (expected "0")')
  })

  it('takes no longer than the check, reads of secondaries, and leaves no cursor open', async (t) => {
    const server = await start(t)
    await asking(server.port, '{"aggregate": "jobs", "pipeline": [], "cursor": {"batchSize": 5}}', [], {})
    await asking(server.port, '{"find": "jobs", "maxTimeMS": 5}')
    await asking(server.port, '{"replSetGetStatus": 1}')
    const [aggregate, closing, find, status] = commandsOf(server)
    const $readPreference = { mode: 'primaryPreferred' }
    const common = { $readPreference, $db: 'shop' }
    const limit = { maxTimeMS: 10_000 }
    assert.deepEqual(aggregate, {
      aggregate: 'jobs',
      pipeline: [],
      cursor: { batchSize: 5 },
      ...limit,
      ...common,
    })
    assert.deepEqual(closing, {
      ...{ killCursors: 'jobs', cursors: [{ $numberLong: '9007199254740993' }], $db: 'shop' },
    })
    assert.deepEqual(find, { find: 'jobs', maxTimeMS: 5, batchSize: 1_001, singleBatch: true, ...common })
    assert.deepEqual(status, { replSetGetStatus: 1, $readPreference, $db: 'admin' })
  })

  it('is not repeated where the server refuses it', async (t) => {
    const why =
      'not authorized on shop to execute command { count: "jobs", query: { token: "abc" }, $db: "shop" }'
    const says = reply(error(13, 'Unauthorized', why))
    const { port } = await start(t, { instead: { query: { says } } })
    const result = await asking(port, '{"count": "jobs", "query": {"token": "abc"}}')
    assert.equal(result.errorMessage, 'MongoDB: query failed ("not authorized on shop to execute command")')
  })

  it('is not looked for in the words of a refusal for longer than they are', async (t) => {
    const begun = 'to execute command {'
    const says = reply(error(13, 'Unauthorized', begun.repeat(45_000)))
    const { port } = await start(t, { instead: { query: { says } } })
    const result = await asking(port, '{"count": "jobs", "query": {"token": "abc"}}')
    assert.equal(result.errorMessage, 'MongoDB: query failed ("to execute command")')
  })

  for (const [what, says] of Object.entries({
    'of another question': reply({ ok: 1 }, 77),
    'that more follows': reply({ ok: 1 }, -1, 2),
    'with flags that nobody knows': reply({ ok: 1 }, -1, 0x80),
    'of two documents': lengthened(Buffer.concat([reply({ ok: 1 }), bsonOf({ ok: 1 })])),
    'without a verdict': reply({ n: 7 }),
    'that ends in the middle': lengthened(reply({ n: 7, ok: 1 }).subarray(0, -4)),
  }))
    it(`takes no answer ${what}`, async (t) => {
      const { port } = await start(t, { instead: { query: { says, thenEnds: true } } })
      assert.equal((await asking(port, '{"count": "jobs"}')).errorMessage, 'MongoDB: invalid answer')
    })

  it('takes an answer with a checksum', async (t) => {
    const says = lengthened(Buffer.concat([reply({ n: 7, ok: 1 }, -1, 1), Buffer.alloc(4)]))
    const { port } = await start(t, { instead: { query: { says } } })
    assert.equal((await asking(port, '{"count": "jobs"}')).status, 'up')
  })
})

describe('members of MongoDB', () => {
  it('are asked one after the other until one answers', async (t) => {
    const [gone, well] = [await freePort(), await start(t)]
    const result = await ask(`mongodb://127.0.0.1:${gone},127.0.0.1:${well.port}/shop`)
    const why = `connection refused by 127.0.0.1:${gone}`
    assert.deepEqual(
      [result.status, result.note],
      ['up', `MongoDB: answered by 127.0.0.1:${well.port}, and not by 127.0.0.1:${gone} (${why})`],
    )
    const first = await ask(`mongodb://127.0.0.1:${well.port},127.0.0.1:${gone}/shop`)
    assert.deepEqual([first.status, first.note], ['up', undefined])
  })

  it('are down where none answers, each for its reason', async (t) => {
    const [gone, mute] = [await freePort(), await start(t, { instead: { ask: 'hangs up' } })]
    const result = await ask(`mongodb://127.0.0.1:${gone},127.0.0.1:${mute.port}`)
    assert.equal(
      result.errorMessage,
      `MongoDB: no member answers: 127.0.0.1:${gone} (connection refused by 127.0.0.1:${gone}), ` +
        `127.0.0.1:${mute.port} (MongoDB: 127.0.0.1:${mute.port} closed the connection before its greeting)`,
    )
  })

  it('answer for all where one refuses the sign-in', async (t) => {
    const [first, second] = [await start(t), await start(t)]
    const result = await ask(`mongodb://127.0.0.1:${first.port},127.0.0.1:${second.port}`, {
      password: 'other-word',
    } as Settings)
    assert.equal(result.errorMessage, 'MongoDB: sign-in refused ("Authentication failed.")')
    assert.equal(second.accepted(), 0)
  })

  it('have a share of the time each, and one that has begun to answer all that is left', async (t) => {
    const clock = turnClock(t)
    const [mute, well] = [await start(t, { instead: { ask: 'silence' } }), await start(t)]
    const urls = `mongodb://127.0.0.1:${mute.port},127.0.0.1:${well.port}`
    const result = await clock.passLimit(1_000, ask(urls, { request_timeout_seconds: 2 }), mute.reached)
    assert.equal(result.status, 'up')
    assert.match(result.note ?? '', /\(no answer within 1 s \(connected, waiting for the first byte\)\)$/)

    const slow = await start(t, { instead: { query: 'silence' } })
    const both = `mongodb://127.0.0.1:${slow.port},127.0.0.1:${well.port}`
    const late = await clock.passLimit(2_000, ask(both, { request_timeout_seconds: 2 }), slow.reached)
    assert.deepEqual(late.errorMessage, 'no answer within 2 s (running the query)')
  })

  it('are not judged where this machine stood still in the share of one', async (t) => {
    const [mute, gone] = [await start(t, { instead: { ask: 'silence' } }), await freePort()]
    const late = { ...network, loop: { start: () => () => 1e6, stop() {} } }
    const urls = `mongodb://127.0.0.1:${mute.port},127.0.0.1:${gone}`
    const result = await ask(urls, { request_timeout_seconds: 1 }, late)
    assert.deepEqual([result.status, result.errorMessage], ['pending', 'this machine was too busy to judge'])
  })

  it('are each refused where the policy refuses their address', async (t) => {
    const { port, accepted } = await start(t)
    const strict = testNetwork({ privateTargets: 'deny' })
    const result = await ask(`mongodb://127.0.0.1:${port},[::1]:${port}`, {}, strict)
    assert.match(
      result.errorMessage ?? '',
      /^MongoDB: no member answers: .*127\.0\.0\.1 is not allowed.*::1 is not/,
    )
    assert.equal(accepted(), 0)
  })
})

describe('members of MongoDB that SRV records name', () => {
  const SERVICE = '_mongodb._tcp.shop.example.test'
  async function through(t: TestContext, replies: Record<string, Reply>) {
    const dns = await startDnsServer(t, replies)
    const there = testNetwork({ nameServers: [dns.address], extraAuthorities: [authority.pem] })
    return (settings: Settings = {}) => ask('mongodb+srv://shop.example.test/shop', settings, there)
  }
  const certificate = authority.issue({ names: ['a.example.test'] })

  it('are asked over TLS, the preferred one first, with the words of TXT', async (t) => {
    const server = await start(t, { tls: 'implicit', certificate })
    const look = await through(t, {
      [SERVICE]: {
        srv: [
          { priority: 2, port: 9, target: 'b.example.test' },
          { priority: 1, port: server.port, target: 'a.example.test' },
        ],
      },
      'shop.example.test': { txt: ['authSource=people&replicaSet=rs0'] },
      'a.example.test': ['127.0.0.1'],
    })
    const result = await look({ options: { query: '{"count": "jobs"}' } })
    assert.deepEqual([result.status, result.errorMessage, result.note], ['up', null, undefined])
    assert.ok(server.heard.every(({ isSecret }) => isSecret))
    assert.ok(server.heard.some(({ line }) => line.includes('people')))
    const named = await look({ options: { security: 'none' } })
    assert.notEqual(named.status, 'up')
  })

  it('lead to no host of another domain, nor to an address that the policy refuses', async (t) => {
    const astray = await through(t, { [SERVICE]: { srv: [{ port: 9, target: 'a.other.test' }] } })
    const why = 'the SRV records of shop.example.test lead to a.other.test, which is not in example.test'
    assert.equal((await astray()).errorMessage, `MongoDB: ${why}`)

    const server = await start(t, { tls: 'implicit', certificate })
    const dns = await startDnsServer(t, {
      [SERVICE]: { srv: [{ port: server.port, target: 'a.example.test' }] },
      'a.example.test': ['127.0.0.1'],
    })
    const strict = testNetwork({ nameServers: [dns.address], privateTargets: 'deny' })
    const result = await ask('mongodb+srv://shop.example.test', {}, strict)
    assert.deepEqual([result.errorMessage, server.accepted()], ['address 127.0.0.1 is not allowed', 0])
  })

  it('are missed where there are none', async (t) => {
    const none = await through(t, { [SERVICE]: { srv: [] } })
    assert.equal((await none()).errorMessage, `DNS: ${SERVICE} has no SRV record`)
    const root = await through(t, { [SERVICE]: { srv: [{ port: 0, target: '' }] } })
    assert.equal((await root()).errorMessage, `DNS: ${SERVICE} has no SRV record`)
    const unknown = await through(t, {})
    assert.equal((await unknown()).errorMessage, `name not found: ${SERVICE}`)
    const failing = await through(t, { [SERVICE]: 'SERVFAIL' })
    assert.equal((await failing()).errorMessage, `name server failed for ${SERVICE} (SERVFAIL)`)
  })

  it('are asked of the name server of the monitor, if that may be asked', async () => {
    const result = await ask('mongodb+srv://shop.example.test', { options: { resolver: '169.254.169.254' } })
    assert.equal(result.errorMessage, 'address 169.254.169.254 is not allowed')
  })
})

/** With the length that it has. */
function lengthened(message: Buffer): Buffer {
  const bytes = Buffer.from(message)
  bytes.writeInt32LE(bytes.length, 0)
  return bytes
}
