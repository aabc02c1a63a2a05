import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { GAME_IDS, gameOf } from '../../../src/core/monitors/options/protocols/games.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import * as ber from '../../../src/probes/packets/ber.ts'
import { startEcho } from '../../support/line-servers/echo.ts'
import {
  beAgent,
  beRadius,
  beSip,
  GAME_SERVERS,
  minecraftStatus,
  type PacketAnswer,
  sipAnswerTo,
  tellTime,
} from '../../support/protocols/packet-answers.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { startSaying, startTcp, startTls } from '../../support/servers/targets.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'

type Type = 'ntp' | 'snmp' | 'radius' | 'sip' | 'game'
type Settings = { username?: string; password?: string; options?: MonitorOptions }

async function ask(t: TestContext, type: Type, answer: PacketAnswer, settings: Settings = {}) {
  const server = await startEcho(t, answer)
  const found = await at(type, server.port, settings)
  return { ...found, heard: server.heard }
}

async function at(type: Type, port: number, settings: Settings = {}) {
  const asked = { url: `${type}://127.0.0.1:${port}`, ...settings } as Partial<ProbeSettings>
  const { status, errorMessage } = await check(type, asked as never)
  return { said: [status, errorMessage] }
}

const UP = ['up', null]
const expects = (
  source: 'answer' | 'json',
  target: string | number | null,
  property?: string,
): Assertion => ({
  ...{ source, comparison: 'equals', target, severity: 'down' },
  ...(property !== undefined && { property }),
})
const having = (...assertions: Assertion[]): Settings => ({ options: { assertions } })

describe('a check of a time server', () => {
  it('is up with the right time, and reads what comes with it', async (t) => {
    const options = having(
      expects('json', 2, '$.stratum'),
      expects('json', 3, '$.root_dispersion_ms'),
      expects('json', '192.0.2.1', '$.reference'),
    )
    assert.deepEqual((await ask(t, 'ntp', tellTime(), options)).said, UP)
    const radio = having(expects('json', 'GPS', '$.reference'))
    assert.deepEqual((await ask(t, 'ntp', tellTime({ stratum: 1, reference: 'GPS' }), radio)).said, UP)
  })

  it('is down with a clock that is ahead or behind, by more than it may be', async (t) => {
    for (const [offsetMs, where] of [
      [60_000, 'ahead'],
      [-60_000, 'behind'],
    ] as const) {
      const { said } = await ask(t, 'ntp', tellTime({ offsetMs }))
      assert.equal(said[0], 'down')
      assert.match(said[1] ?? '', new RegExp(`^NTP: the clock is \\d\\d,\\d{3} ms ${where} `))
      const wide = { options: { max_offset_ms: 86_400_000 } }
      assert.deepEqual((await ask(t, 'ntp', tellTime({ offsetMs }), wide)).said, UP)
    }
  })

  it('reads no answer to another question, and asks again with another one', async (t) => {
    let count = 0
    const answer: PacketAnswer = (packet) => {
      count++
      return count === 1 ? tellTime({ stratum: 16 })(Buffer.alloc(48)) : tellTime()(packet)
    }
    const { said, heard } = await ask(t, 'ntp', answer)
    assert.deepEqual([said, new Set(heard).size], [UP, 2])
  })
})

describe('a check of a device by SNMP', () => {
  const oid = '1.3.6.1.2.1.1.1.0'

  it('reads values of every kind', async (t) => {
    const kinds: [Buffer, string][] = [
      [ber.encode(ber.TAGS.octets, 'a switch'), 'a switch'],
      [ber.encode(ber.TAGS.octets, Buffer.from([0, 0x1b, 0xff])), '00:1b:ff'],
      [ber.encode(ber.TAGS.integer, Buffer.from([0xff])), '-1'],
      [ber.encodeInteger(4_294_967_295, 0x42), '4294967295'],
      [ber.encode(0x46, Buffer.from('ffffffffffffffff', 'hex')), '18446744073709551615'],
      [ber.encode(0x40, Buffer.from([192, 0, 2, 7])), '192.0.2.7'],
      [ber.encodeOid('2.999.4294967295'), '2.999.4294967295'],
    ]
    for (const [value, text] of kinds)
      for (const snmp_version of ['1', '2c'] as const) {
        const settings = { options: { oid, snmp_version, assertions: [expects('answer', text)] } }
        const number = { options: { oid, assertions: [expects('answer', Number(text))] } }
        const { said } = await ask(
          t,
          'snmp',
          beAgent({ value }),
          /^-?\d{1,15}$/.test(text) ? number : settings,
        )
        assert.deepEqual(said, UP, text)
      }
  })

  it('asks by the community of the monitor', async (t) => {
    const settings = { options: { oid, community: 'sesame' } }
    const { said, heard } = await ask(t, 'snmp', beAgent({ community: 'sesame' }), settings)
    assert.deepEqual([said, heard.length], [UP, 1])
  })

  it('says that version 1 has no such name', async (t) => {
    const { said } = await ask(t, 'snmp', beAgent({ error: 2 }), { options: { oid, snmp_version: '1' } })
    assert.deepEqual(said, ['down', `SNMP: ${oid} does not exist`])
  })
})

describe('a check of RADIUS', () => {
  const user = { name: 'watcher', password: 'pa ss"wörd-7' }
  const server = beRadius({ secret: 'open-Sesame', ...user })
  const settings = (password: string, target: string) => ({
    ...{ username: user.name, password },
    options: { shared_secret: 'open-Sesame', assertions: [expects('answer', target)] },
  })

  it('tells who is accepted and who is rejected', async (t) => {
    assert.deepEqual((await ask(t, 'radius', server, settings(user.password, 'Access-Accept'))).said, UP)
    assert.deepEqual((await ask(t, 'radius', server, settings('other', 'Access-Reject'))).said, UP)
  })

  it('sends no password that can be read', async (t) => {
    const { heard } = await ask(t, 'radius', server, settings(user.password, 'Access-Accept'))
    assert.ok(heard[0]?.includes(user.name))
    assert.ok(!heard[0]?.includes('wörd'))
  })
})

describe('a check of a telephone server', () => {
  const authority = createAuthority('Telephones')
  const certificate = authority.issue({ names: ['127.0.0.1'] })
  const network = testNetwork({ extraAuthorities: [authority.pem] })
  const answer = (socket: import('node:net').Socket, status = '200 OK') =>
    socket.once('data', (request) => {
      socket.write(sipAnswerTo(request.toString(), '100 Trying'))
      socket.write(sipAnswerTo(request.toString(), status))
    })

  it('is up with 2xx over UDP, TCP and TLS', async (t) => {
    assert.deepEqual((await ask(t, 'sip', beSip())).said, UP)
    const tcp = await startTcp(t, (socket) => answer(socket))
    assert.deepEqual((await at('sip', tcp.port, { options: { transport: 'tcp' } })).said, UP)
    const secure = await startTls(t, certificate, (socket) => answer(socket))
    const url = `sips://127.0.0.1:${secure.port}`
    const found = await check('sip', { url }, { network })
    assert.deepEqual([found.status, found.errorMessage, found.certificate === null], ['up', null, false])
    assert.notEqual(found.phases?.tlsMs, null)
  })

  it('warns of a certificate that expires soon', async (t) => {
    const secure = await startTls(t, certificate, (socket) => answer(socket))
    const settings = { url: `sips://127.0.0.1:${secure.port}`, ssl_expiry_warning_days: 365 }
    const { status, errorMessage } = await check('sip', settings, { network })
    assert.equal(status, 'degraded', errorMessage ?? '')
  })

  it('is up with another status where an assertion says so', async (t) => {
    const wanted = having(expects('answer', '401 Unauthorized'))
    assert.deepEqual((await ask(t, 'sip', beSip('401 Unauthorized'), wanted)).said, UP)
    assert.deepEqual((await ask(t, 'sip', beSip('401 Unauthorized'))).said, [
      'down',
      'SIP: 401 Unauthorized (expected 200)',
    ])
  })

  it('says what hangs up, and what is no telephone server', async (t) => {
    const closing = await startSaying(t, '')
    const tcp = { options: { transport: 'tcp' as const } }
    const place = `127.0.0.1:${closing.port}`
    assert.deepEqual((await at('sip', closing.port, tcp)).said, [
      'down',
      `SIP: ${place} closed the connection before its answer`,
    ])
    const web = await startSaying(t, 'HTTP/1.1 400 Bad Request\r\n\r\n')
    assert.deepEqual((await at('sip', web.port, tcp)).said, [
      'down',
      'SIP: the answer is not as this protocol has it',
    ])
  })
})

describe('a check of a game server', () => {
  const facts = [
    expects('answer', 'Best server'),
    expects('json', 'de_dust2', '$.map'),
    expects('json', 24, '$.max_players'),
  ]
  const players: Record<string, number> = { css: 7 }

  for (const [game, answer] of Object.entries(GAME_SERVERS))
    it(`reads the name, the map and the players of ${game}`, async (t) => {
      const assertions = [...facts, expects('json', players[game] ?? 2, '$.players')]
      assert.deepEqual((await ask(t, 'game', answer, { options: { game, assertions } })).said, UP)
    })

  it('reads what Minecraft says of itself', async (t) => {
    const description = { text: '§aBest ', extra: [{ text: 'ser' }, 'ver'] }
    const status = minecraftStatus({ description, players: { online: 2, max: 24 } })
    const server = await startSaying(t, status)
    const assertions = [expects('answer', 'Best server'), expects('json', 24, '$.max_players')]
    const { said } = await at('game', server.port, { options: { game: 'minecraft', assertions } })
    assert.deepEqual(said, UP)
  })

  it('knows a port of every game, and one of every way to ask', () => {
    assert.ok(GAME_IDS.length > 250)
    for (const id of GAME_IDS) assert.ok((gameOf(id)?.queryPort ?? 0) > 0, id)
    const asked = new Set(GAME_IDS.map((id) => gameOf(id)?.query))
    const tried = new Set([...Object.keys(GAME_SERVERS), 'minecraft'].map((id) => gameOf(id)?.query))
    assert.deepEqual(tried, asked)
  })
})
