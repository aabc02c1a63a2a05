import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { columns, done, refusal, reply, speakSqlserver } from '../../support/databases/sqlserver.ts'
import { type LineServerOptions, startLineServer } from '../../support/line-servers/line-server.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'

const authority = createAuthority('SQL Server')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { name: 'wätcher', password: 'pä ss"word-7€' }

async function ask(t: TestContext, server: LineServerOptions, options: MonitorOptions = {}, words = '') {
  const started = await startLineServer(t, speakSqlserver, { certificate, user: USER, ...server })
  const url = `sqlserver://127.0.0.1:${started.port}/shop${words}`
  const signedIn = { username: USER.name, password: USER.password }
  const result = await check('sqlserver', { url, ...signedIn, options } as Partial<ProbeSettings>, {
    network,
  })
  await started.allClosed()
  return { ...result, heard: started.heard.map(({ line }) => Buffer.from(line, 'latin1')) }
}
const giving = (says: Buffer): LineServerOptions => ({ tls: 'starttls', instead: { query: { says } } })

/** Values of the types, by the bytes that describe a type and those of a value, and as they are shown (MS-TDS, sections 2.2.5.4 and 2.2.5.5). */
const VALUES: [what: string, type: string, value: string, shown: string | number | boolean | null][] = [
  ['tinyint', '30', 'ff', 255],
  ['smallint', '34', 'feff', -2],
  ['int', '38', 'd6ffffff', -42],
  ['bigint', '7f', 'ffffffffffffff7f', '9223372036854775807'],
  ['an int that may be NULL', '2604', '0407000000', 7],
  ['an int that is NULL', '2604', '00', null],
  ['bit', '32', '01', true],
  ['a bit that may be NULL', '6801', '0100', false],
  ['real', '3b', 'cdcccc3d', 0.1],
  ['float', '6d08', '08000000000000f83f', 1.5],
  ['money', '6e08', '0800000000d2040000', 0.1234],
  ['money below zero', '3c', 'ffffffff2efbffff', -0.1234],
  ['smallmoney', '7a', '10270000', 1],
  ['decimal', '6a110a02', '050139300000', 123.45],
  ['decimal below one', '6c110a04', '050005000000', -0.0005],
  [
    'decimal of many digits',
    '6a112600',
    '1101ffffffffffffffffffffffffffff0000',
    '5192296858534827628530496329220095',
  ],
  ['nvarchar', 'e7640009 04d000 34', '0400 7400e400', 'tä'],
  ['nvarchar that is NULL', 'e7640009 04d000 34', 'ffff', null],
  [
    'nvarchar without a bound',
    'e7ffff09 04d000 34',
    '0400000000000000 02000000 7400 02000000 e400 00000000',
    'tä',
  ],
  ['nvarchar without a bound that is NULL', 'e7ffff09 04d000 34', 'ffffffffffffffff', null],
  ['varchar', 'a7640009 04d000 34', '0200 74e4', 'tä'],
  ['varchar in Cyrillic', 'a7640019 04d000 00', '0100 e6', 'ж'],
  ['varchar in Japanese', 'a7640011 04d000 00', '0200 93fa', '日'],
  ['varchar in UTF-8', 'a7640009 04d004 00', '0300 74c3a4', 'tä'],
  ['nchar', 'ef040009 04d000 34', '0400 61002000', 'a '],
  ['varbinary', 'a50a00', '0200 beef', '0xBEEF'],
  ['date', '28', '03 6d4a0b', '2026-11-30'],
  ['date of the year 1', '28', '03 000000', '0001-01-01'],
  ['datetime', '3d', '12b50000 d0dbc300', '2026-11-30 11:53:05.973'],
  ['datetime before 1900', '6f08', '08 ffffffff 00000000', '1899-12-31 00:00:00.000'],
  ['smalldatetime', '6f04', '04 12b5 c902', '2026-11-30 11:53:00'],
  ['time', '2907', '05 81e6d89d63', '11:53:05.0000001'],
  ['time of whole seconds', '2900', '03 21a700', '11:53:05'],
  ['datetime2', '2a03', '07 2896dc02 6d4a0b', '2026-11-30 13:20:10.792'],
  ['datetimeoffset', '2b00', '08 21a700 6d4a0b 3c00', '2026-11-30 12:53:05 +01:00'],
  ['datetimeoffset behind midnight', '2b00', '08 000000 6d4a0b 88ff', '2026-11-29 22:00:00 -02:00'],
  ['uniqueidentifier', '2410', '10 33221100554477668899aabbccddeeff', '00112233-4455-6677-8899-AABBCCDDEEFF'],
]

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const row = (...values: Buffer[]) => Buffer.concat([Buffer.of(0xd1), ...values])

describe('a value of SQL Server', () => {
  for (const [what, type, value, shown] of VALUES)
    it(`is read: ${what}`, async (t) => {
      const says = reply([columns([['v', bytes(type)]]), row(bytes(value)), done()])
      const target = {
        source: 'json',
        comparison: 'equals',
        severity: 'down',
        property: '$[0].v',
        target: shown,
      } as const
      const result = await ask(t, giving(says), { query: 'SELECT v', assertions: [target] })
      assert.deepEqual([result.status, result.errorMessage], ['up', null])
    })

  it('is none among rows that repeat the names of many columns without end', async (t) => {
    const wide = columns(Array.from({ length: 100 }, (_, at) => [`${at}`.padEnd(250, 'x'), bytes('1f')]))
    const rows = Array.from({ length: 999 }, () => row())
    const result = await ask(t, giving(reply([wide, ...rows, done()])), { query: 'SELECT *' })
    assert.equal(result.errorMessage, 'SQL Server: the query gives more than 8,388,608 characters')
  })

  it('is NULL where the bits of its row say so', async (t) => {
    const described = columns([
      ['a', bytes('38')],
      ['b', bytes('38')],
    ])
    const says = reply([described, Buffer.concat([Buffer.from([0xd2, 1]), bytes('07000000')]), done()])
    const target = {
      source: 'json',
      comparison: 'equals',
      severity: 'down',
      target: 7,
      property: '$[0].b',
    } as const
    const missing = { ...target, comparison: 'equals', property: '$[0].a', target: null } as const
    const result = await ask(t, giving(says), { query: 'SELECT a, b', assertions: [target, missing] })
    assert.deepEqual([result.status, result.errorMessage], ['up', null])
  })

  for (const [name, type] of Object.entries({ xml: 'f100', sql_variant: '6210000000', text: '23' }))
    it(`is refused by name where it is ${name}`, async (t) => {
      const result = await ask(t, giving(reply([columns([['v', bytes(type)]]), done()])), {
        query: 'SELECT v',
      })
      const why = `the query gives a column of the type ${name}, which checks do not read: cast it`
      assert.equal(result.errorMessage, `SQL Server: query failed ("${why}")`)
    })

  for (const [what, tokens] of Object.entries({
    'a row before its columns': [row(bytes('07000000')), done()],
    'more columns than there can be': [Buffer.from([0x81, 0xff, 0x7f]), done()],
    'a number of five bytes': [columns([['v', bytes('2604')]]), row(bytes('050000000000')), done()],
    'a time of no length': [columns([['v', bytes('2a03')]]), row(bytes('0101')), done()],
    'a day of two bytes': [columns([['v', bytes('28')]]), row(bytes('020101')), done()],
    'a text longer than the answer': [
      columns([['v', bytes('e764000904d00034')]]),
      row(bytes('ff7f')),
      done(),
    ],
    'an unknown token': [Buffer.from([0x01, 0x02])],
    'a day that is none': [columns([['v', bytes('3d')]]), row(bytes('ffffff7f00000000')), done()],
  }))
    it(`is none with ${what}`, async (t) => {
      const result = await ask(t, giving(reply(tokens)), { query: 'SELECT v' })
      assert.equal(result.errorMessage, 'SQL Server: invalid answer')
    })
})

describe('a check of SQL Server', () => {
  it('signs in over TLS from the first byte, by the newer version', async (t) => {
    const result = await ask(t, { tls: 'implicit' }, { security: 'implicit' })
    assert.deepEqual([result.status, result.errorMessage], ['up', null])
    const [, login] = result.heard
    assert.equal(login?.readUInt32LE(8 + 4), 0x0800_0000)
  })

  it('says that it only reads, unless its URL says otherwise', async (t) => {
    const flags = async (words: string) => (await ask(t, { tls: 'starttls' }, {}, words)).heard[1]?.[8 + 26]
    assert.deepEqual([await flags(''), await flags('?ApplicationIntent=ReadWrite')], [0x20, 0])
  })

  it('is not signed in without TLS by a server that wants it', async (t) => {
    const result = await ask(t, { signIns: ['only over TLS'] }, { security: 'none' })
    assert.equal(
      result.errorMessage,
      'SQL Server: sign-in refused ("the server takes connections over TLS alone")',
    )
    assert.equal(result.heard.length, 1)
  })

  it('follows to no server that another one names', async (t) => {
    const result = await ask(t, { tls: 'starttls', signIns: ['sends to another one'] })
    const why = 'the server sends to db2.example:1434, which is not followed'
    assert.equal(result.errorMessage, `SQL Server: sign-in refused ("${why}")`)
  })

  it('asks within a transaction that is rolled back, in as many packets as that takes', async (t) => {
    const query = `SELECT count(*) FROM jobs WHERE state = '${'ä'.repeat(5_000)}'`
    const result = await ask(t, { tls: 'starttls' }, { query })
    assert.deepEqual([result.status, result.errorMessage], ['up', null])
    const batch = result.heard.at(-1) ?? Buffer.alloc(0)
    assert.equal(batch.readUInt16BE(2), 4_096)
    assert.ok(batch.length > 8_192)
  })

  it('reads one result', async (t) => {
    const one = [columns([['v', bytes('38')]]), row(bytes('07000000')), done(1)]
    const result = await ask(t, giving(reply([...one, ...one])), { query: 'SELECT 7 SELECT 7' })
    assert.equal(result.errorMessage, 'SQL Server: query failed ("the query gives more than one result")')
  })

  it('passes over what else a server says', async (t) => {
    const noise = [bytes('ab0200aaaa'), bytes('a90200 0100'), bytes('7900000000'), bytes('e402000000 0000')]
    const counted = [columns([['v', bytes('38')]]), row(bytes('07000000')), done()]
    const answer = { source: 'answer', comparison: 'equals', severity: 'down', target: 7 } as const
    const result = await ask(t, giving(reply([...noise, ...counted])), {
      query: 'SELECT 7',
      assertions: [answer],
    })
    assert.deepEqual([result.status, result.errorMessage], ['up', null])
  })

  it('tells an error behind rows', async (t) => {
    const rows = packetBody(reply([columns([['v', bytes('38')]]), row(bytes('07000000'))]))
    const error = packetBody(refusal('Divide by zero error encountered.', 8_134))
    const result = await ask(t, giving(reply([rows, error])), { query: 'SELECT 1/0' })
    assert.equal(result.errorMessage, 'SQL Server: query failed ("Divide by zero error encountered.")')
  })
})

function packetBody(packet: Buffer): Buffer {
  return packet.subarray(8)
}
