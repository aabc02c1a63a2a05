import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { batchOf, crc32c } from '../../../src/probes/brokers/kafka-records.ts'
import { type BrokerServerOptions, startBroker } from '../../support/brokers/broker-server.ts'
import { type Members, speakKafka } from '../../support/brokers/kafka.ts'
import { closedPort } from '../../support/servers/targets.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'

const network = testNetwork()
const USER = { name: 'watcher', password: 'sesame-seven' }
const SIGNED_IN = { username: USER.name, password: USER.password }
const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const HELLO: Assertion[] = [{ source: 'answer', comparison: 'equals', target: 'hello', severity: 'down' }]

type Tried = {
  server?: BrokerServerOptions
  broker?: Parameters<typeof speakKafka>[1]
  settings?: Partial<ProbeSettings> & Partial<typeof SIGNED_IN>
  network?: ReturnType<typeof testNetwork>
}

async function look(t: TestContext, { server, broker, settings, network: other = network }: Tried) {
  const started = await startBroker(t, (facts) => speakKafka(facts, broker), server)
  const url = `kafka://127.0.0.1:${started.port}`
  const result = await check('kafka', { url, ...settings }, { network: other })
  await started.allClosed()
  return { ...result, server: started }
}

describe('a check of the type kafka', () => {
  for (const mechanisms of [
    ['PLAIN'],
    ['SCRAM-SHA-512'],
    ['SCRAM-SHA-256', 'PLAIN'],
    ['GSSAPI', 'SCRAM-SHA-256'],
  ])
    it(`signs in by the best way of ${mechanisms.join(' and ')}`, async (t) => {
      const fine = await look(t, { server: { user: USER }, broker: { mechanisms }, settings: SIGNED_IN })
      assert.deepEqual(said(fine), ['up', null])
      const wrong = { ...SIGNED_IN, password: 'other' }
      const refused = await look(t, { server: { user: USER }, broker: { mechanisms }, settings: wrong })
      assert.deepEqual(said(refused), ['down', 'Kafka: sign-in refused ("Authentication failed")'])
    })

  it('says so where there is no way that it knows', async (t) => {
    const broker = { mechanisms: ['GSSAPI'] }
    assert.deepEqual(said(await look(t, { server: { user: USER }, broker, settings: SIGNED_IN })), [
      'down',
      'Kafka: the server offers no sign-in with a user name and a password',
    ])
  })

  it('reads the partitions of all brokers, each over a connection of its own', async (t) => {
    const other = await startBroker(t, (facts) => speakKafka(facts, { members: [null, null] }), {
      others: ['hello'],
    })
    const members: Members = [null, { host: '127.0.0.1', port: other.port }]
    const settings = { options: { topic: 'hall', assertions: HELLO } }
    const result = await look(t, { broker: { members }, settings })
    assert.deepEqual([...said(result), other.accepted()], ['up', null, 1])
  })

  it('tells a broker at an address that is not allowed, and dials none', async (t) => {
    const places = [
      ['169.254.169.254', 80, '169.254.169.254:80'],
      ['0.0.0.0', 9092, '0.0.0.0:9092'],
      ['evil.example/x', 9092, 'evil.example/x:9092'],
      ['127.0.0.1', 99_999, '127.0.0.1:99999'],
      ['', 9092, ':9092'],
    ] as const
    for (const [host, port, shown] of places) {
      const result = await look(t, {
        broker: { members: [{ host, port }] },
        settings: { options: { topic: 'hall' } },
      })
      assert.deepEqual(said(result), ['down', `Kafka: broker 1 says it is at ${shown}, which is not allowed`])
    }
  })

  it('tells a broker that cannot be reached', async (t) => {
    const port = await closedPort(t)
    const members = [{ host: '127.0.0.1', port }]
    const result = await look(t, {
      broker: { members },
      settings: { options: { topic: 'hall', publish: 'x' } },
    })
    assert.deepEqual(said(result), ['down', `connection refused by 127.0.0.1:${port}`])
  })

  const COMPRESSED = { gzip: [1, gzipSync], zstd: [4, zstdCompressSync] } as const
  for (const [name, [number, pack]] of Object.entries(COMPRESSED))
    it(`reads a message that is compressed by ${name}`, async (t) => {
      const records = (message: Buffer) => packed(message, number, pack)
      const settings = { options: { topic: 'hall', assertions: HELLO } }
      const server = { others: ['hello'] }
      assert.deepEqual(said(await look(t, { server, broker: { records }, settings })), ['up', null])
      const broken = (message: Buffer) => packed(message, number, (bytes) => bytes)
      assert.deepEqual(said(await look(t, { server, broker: { records: broken }, settings })), [
        'down',
        'Kafka: invalid answer',
      ])
    })

  it('takes a message that it cannot unpack, unless it is to judge it', async (t) => {
    const broker = { records: (message: Buffer) => packed(message, 3, (bytes) => bytes) }
    const server = { others: ['hello'] }
    assert.deepEqual(said(await look(t, { server, broker, settings: { options: { topic: 'hall' } } })), [
      'up',
      null,
    ])
    const settings = { options: { topic: 'hall', assertions: HELLO } }
    assert.deepEqual(said(await look(t, { server, broker, settings })), [
      'down',
      'Kafka: the message is compressed by lz4, which checks do not read',
    ])
  })
})

/** A batch whose records are packed. */
function packed(message: Buffer, number: number, pack: (bytes: Buffer) => Buffer): Buffer {
  const whole = batchOf(message, 0)
  const records = pack(whole.subarray(61))
  const batch = Buffer.concat([whole.subarray(0, 61), records])
  batch.writeInt32BE(batch.length - 12, 8)
  batch.writeInt16BE(number, 21)
  return batch
}

describe('the checksum of a batch', () => {
  it('is CRC-32C', () => {
    assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283)
  })
})
