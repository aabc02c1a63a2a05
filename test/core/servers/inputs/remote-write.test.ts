import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { snappyCompress } from 'hysnappy'
import { readRemoteWrite } from '../../../../src/core/servers/inputs/remote-write.ts'
import { unpackSnappy } from '../../../../src/core/servers/inputs/snappy.ts'
import type { Counters, MachineReport } from '../../../../src/core/servers/machine-report.ts'
import { measure } from '../../../../src/core/servers/measure.ts'
import type { Sample } from '../../../../src/core/servers/series.ts'
import { scrape, type WrittenSeries, writeRequest } from '../../../support/inputs/write-request.ts'

const AT = Date.parse('2026-11-23T10:00:00Z')

function read(series: WrittenSeries[], labels?: Record<string, string>) {
  const reading = readRemoteWrite(writeRequest(series, labels), { now: AT / 1000 })
  assert.ok('reports' in reading)
  return reading
}

/** Figures of requests that came one after another. */
function measured(requests: WrittenSeries[][]): Sample[] {
  let before: Counters | null = null
  return requests.map((series) => {
    const [report] = read(series).reports
    const { sample, counters } = measure(report as MachineReport, before, new Date(AT))
    before = counters
    return sample
  })
}

describe('remote write of Prometheus over node_exporter', () => {
  it('is read into the figures and counters of the machine', () => {
    const { reports, dropped } = read(scrape(AT))
    assert.equal(reports.length, 1)
    const [{ machine, gauges, counters, takenAt }] = reports as [MachineReport]
    assert.deepEqual(machine, {
      source: 'prometheus',
      host_name: 'web-1',
      os: null,
      kernel: '6.1.0',
      architecture: 'x86_64',
      cpus: 2,
      machine_id: 'web-1:9100',
      boot_id: null,
      agent_version: null,
    })
    assert.deepEqual(gauges, {
      memory_total_bytes: 8e9,
      memory_available_bytes: 6e9,
      swap_total_bytes: 2e9,
      swap_used_bytes: 1e9,
      load_1: 0.5,
      load_5: 0.4,
      load_15: 0.3,
      failed_units: 1,
      temperature_celsius: 51,
      uptime_seconds: 86_400,
      'file_system_size_bytes:/': 100e9,
      'file_system_used_percent:/': (100 * 30) / 90,
      'inodes_used_percent:/': 10,
      'file_system_size_bytes:/var': 102e9,
      'file_system_used_percent:/var': 90,
      'inodes_used_percent:/var': 75,
    })
    assert.deepEqual(counters.values, {
      cpu_user_seconds: 500,
      cpu_system_seconds: 0,
      cpu_idle_seconds: 1_500,
      cpu_iowait_seconds: 0,
      cpu_steal_seconds: 0,
      'disk_busy_seconds:sda': 100,
      'disk_read_bytes:sda': 1_000_000,
      'disk_written_bytes:sda': 2_000_000,
      'interface_received_bytes:eth0': 300_000,
      'interface_errors:eth0': 3,
      'interface_sent_bytes:eth0': 400_000,
      pressure_io_seconds: 10,
    })
    assert.equal(counters.at, AT / 1000)
    assert.equal(takenAt, null)
    assert.equal(dropped, 13)
  })

  it('gives rates with the request before, wherever Prometheus cut the scrapes', () => {
    const stream = [0, 1, 2, 3, 4, 5].flatMap((minute) =>
      scrape(AT + minute * 60_000, { cpus: 8, seconds: 1_000 + minute * 60 }),
    )
    for (const size of [97, 200, 250]) {
      const requests = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        stream.slice(index * size, (index + 1) * size),
      )
      const samples = measured(requests)
      const all = (key: string) => samples.flatMap((sample) => (key in sample ? [sample[key] as number] : []))
      for (const [key, expected] of [
        ['cpu_percent', 25],
        ['interface_received_bytes:eth0', 300],
        ['disk_busy_percent:sda', 10],
        ['file_system_used_percent:/var', 90],
        ['failed_units', 1],
        ['temperature_celsius', 51],
      ] as const) {
        const values = all(key)
        assert.ok(values.length > 0, `${key} in requests of ${size}`)
        assert.ok(
          values.every((value) => Math.abs(value - expected) < 1e-6),
          `${key} in requests of ${size}: ${values}`,
        )
      }
    }
  })

  it('takes the newest of samples that were kept back, and counts the others', () => {
    const late = [0, 1, 2].flatMap((minute): WrittenSeries[] => [
      ['node_load1', minute, AT - minute * 60_000],
    ])
    const { reports, dropped } = read(late)
    assert.equal(reports[0]?.gauges.load_1, 0)
    assert.equal(dropped, 2)
  })

  it('tells machines apart by their targets, the first one first', () => {
    const two = new Uint8Array([
      ...writeRequest([['node_load1', 1, AT]], { instance: 'a:9100' }),
      ...writeRequest([['node_load1', 2, AT]], { instance: 'b:9100' }),
    ])
    const reading = readRemoteWrite(two, { now: AT / 1000 })
    assert.ok('reports' in reading)
    assert.deepEqual(
      reading.reports.map(({ machine, gauges }) => [machine.machine_id, gauges.load_1]),
      [
        ['a:9100', 1],
        ['b:9100', 2],
      ],
    )
  })

  it('has no report without a known series, and none of stale ones', () => {
    assert.deepEqual(read([['http_requests_total', 1, AT]]).reports, [])
    assert.deepEqual(read([['node_load1', Number.NaN, AT]]).reports, [])
  })

  it('refuses what is no request', () => {
    assert.deepEqual(readRemoteWrite(new Uint8Array([10, 200]), { now: 0 }), {
      fault: 'the body is no WriteRequest of the Prometheus remote write protocol, version 1.0',
    })
  })
})

describe('a Snappy block', () => {
  const body = writeRequest(scrape(AT))

  it('is unpacked', () => {
    assert.deepEqual(unpackSnappy(snappyCompress(body), body.length), body)
  })

  it('is refused by the length that it says, before it is unpacked', () => {
    const max = body.length - 1
    assert.deepEqual(unpackSnappy(snappyCompress(body), max), {
      fault: `the body unpacks to ${body.length} bytes; at most ${max} are taken`,
      isTooLarge: true,
    })
  })

  for (const [name, bytes] of [
    ['nothing', []],
    ['a length without an end', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
    ['a literal of a negative length', [10, 0xfc, 0xfb, 0xff, 0xff, 0xff, 0, 0]],
    ['a copy of what is not there', [10, 0x01, 0x05]],
    ['less than it says', [10, 0x00, 0x61]],
  ] as const) {
    it(`is refused if it is ${name}`, () => {
      assert.deepEqual(unpackSnappy(new Uint8Array(bytes), 1_000), { fault: 'the body is no Snappy block' })
    })
  }
})
