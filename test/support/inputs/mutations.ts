import assert from 'node:assert/strict'
import { snappyCompress } from 'hysnappy'
import { readInfluxLines } from '../../../src/core/servers/inputs/influx-line.ts'
import { readOpenTelemetry } from '../../../src/core/servers/inputs/opentelemetry.ts'
import { type InputReading, MAX_INPUT_MACHINES } from '../../../src/core/servers/inputs/point.ts'
import { readRemoteWrite } from '../../../src/core/servers/inputs/remote-write.ts'
import { unpackSnappy } from '../../../src/core/servers/inputs/snappy.ts'
import { measure } from '../../../src/core/servers/measure.ts'
import { readSeriesKey } from '../../../src/core/servers/series.ts'
import { MAX_INPUT_BYTES } from '../../../src/core/servers/server.ts'
import { MAX_NAME_LENGTH } from '../../../src/core/text.ts'
import { HOST, hostMetrics, metricsJson, metricsProtobuf } from './metrics-request.ts'
import { scrape, writeRequest } from './write-request.ts'

const NOW = 1_795_000_000

const LINES = `cpu,cpu=cpu-total,host=web-1 usage_user=20.5,usage_system=4,usage_idle=70 1795000000000000000
disk,device=sda1,fstype=ext4,host=web-1,path=/a\\ b free=6i,inodes_free=9i,inodes_used=1i,total=10i,used=3i 1795000000000000000
diskio,disk_name=sda,hostname=web-1 key="disk \\"name",read_bytes=663552.0,time_since_update=2.0
net,host=web-1,interface=eth0 bytes_recv=300i,bytes_sent=400i 1795000000000000000
`

const unpacked = (body: Uint8Array): InputReading => {
  const block = unpackSnappy(body, MAX_INPUT_BYTES)
  return 'fault' in block ? { fault: block.fault } : readRemoteWrite(block, { now: NOW })
}

const resources = [{ attributes: HOST, metrics: hostMetrics(NOW) }]
export const INPUTS: [name: string, body: Uint8Array, read: (body: Uint8Array) => InputReading][] = [
  [
    'OTLP in protobuf',
    metricsProtobuf(resources),
    (body) => readOpenTelemetry(body, { now: NOW, isJson: false }),
  ],
  ['OTLP in JSON', metricsJson(resources), (body) => readOpenTelemetry(body, { now: NOW, isJson: true })],
  [
    'Influx lines',
    new TextEncoder().encode(LINES),
    (body) => readInfluxLines(body, { now: NOW, precision: null }),
  ],
  ['remote write', writeRequest(scrape(NOW * 1_000)), (body) => readRemoteWrite(body, { now: NOW })],
  ['a Snappy block', snappyCompress(writeRequest(scrape(NOW * 1_000))), unpacked],
]

/** Numbers that look random and are the same each time. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Some bytes are others, gone, doubled or from elsewhere in the body. */
function mutated(body: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes = Uint8Array.from(body)
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(bytes.length)
    const length = random(12)
    const kind = random(4)
    const piece = bytes.slice(at, at + length)
    const from = random(bytes.length)
    if (kind === 0) bytes[at] = random(256)
    else if (kind === 1) bytes = joined(bytes.subarray(0, at), bytes.subarray(at + length))
    else if (kind === 2) bytes = joined(bytes.subarray(0, from), piece, bytes.subarray(from))
    else bytes.set(piece, Math.min(from, bytes.length - piece.length))
  }
  return bytes
}

/** To spread bytes into a list takes longer than to read what they say. */
function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}

/** Fails unless a reading is within its bounds, and figures can be made of it. */
export function isSound(reading: InputReading): void {
  if ('fault' in reading) {
    assert.ok(reading.fault.length > 0 && reading.fault.length < 300)
    return
  }
  assert.ok(reading.reports.length <= MAX_INPUT_MACHINES)
  assert.ok(Number.isInteger(reading.dropped) && reading.dropped >= 0)
  for (const report of reading.reports) {
    assert.ok((report.machine.host_name ?? '').length <= MAX_NAME_LENGTH)
    assert.ok(Number.isFinite(report.counters.at))
    const { sample } = measure(report, report.counters, new Date(NOW * 1_000))
    for (const [key, value] of Object.entries(sample)) {
      assert.ok(readSeriesKey(key) !== null && Number.isFinite(value), key)
    }
    JSON.stringify(report)
  }
}

/** Reads this many mutations of a body, the same ones each time. */
export function readMutations(
  body: Uint8Array,
  read: (body: Uint8Array) => InputReading,
  count: number,
): void {
  const random = randomFrom(18)
  assert.ok('reports' in read(body))
  for (let index = 0; index < count; index++) isSound(read(mutated(body, random)))
}
