import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readOpenTelemetry } from '../../../../src/core/servers/inputs/opentelemetry.ts'
import type { MachineReport } from '../../../../src/core/servers/machine-report.ts'
import { measure } from '../../../../src/core/servers/measure.ts'
import {
  HOST,
  hostMetrics,
  metricsJson,
  metricsProtobuf,
  type WrittenMetric,
  type WrittenResource,
} from '../../../support/inputs/metrics-request.ts'

const AT = 1_795_000_000

function read(body: Uint8Array, isJson: boolean) {
  const reading = readOpenTelemetry(body, { now: AT + 5, isJson })
  assert.ok('reports' in reading, JSON.stringify(reading))
  return reading
}

function only(metrics: WrittenMetric[]): MachineReport {
  const { reports } = read(metricsJson([{ attributes: HOST, metrics }]), true)
  assert.equal(reports.length, 1)
  return reports[0] as MachineReport
}

describe('OTLP metrics', () => {
  const resources: WrittenResource[] = [{ attributes: HOST, metrics: hostMetrics(AT) }]

  it("of the Collector's host metrics are read", () => {
    const { reports, dropped } = read(metricsProtobuf(resources), false)
    const [{ machine, gauges, counters }] = reports as [MachineReport]
    assert.deepEqual(machine, {
      source: 'opentelemetry',
      host_name: 'web-1',
      os: 'Debian GNU/Linux 12',
      kernel: null,
      architecture: null,
      cpus: 2,
      machine_id: 'abc',
      boot_id: null,
      agent_version: null,
    })
    assert.deepEqual(gauges, {
      memory_total_bytes: 8e9,
      memory_available_bytes: 6e9,
      swap_total_bytes: 2e9,
      swap_used_bytes: 5e8,
      load_1: 0.5,
      load_5: 0.4,
      load_15: 0.3,
      processes: 120,
      'file_system_size_bytes:/': 1e11,
      'file_system_used_percent:/': (100 * 30) / 90,
      'inodes_used_percent:/': 10,
    })
    assert.equal(counters.at, AT)
    assert.deepEqual(counters.values, {
      cpu_user_seconds: 300,
      cpu_system_seconds: 100,
      cpu_idle_seconds: 1_500,
      cpu_iowait_seconds: 100,
      cpu_steal_seconds: 0,
      'disk_read_bytes:sda': 1_000_000,
      'disk_written_bytes:sda': 2_000_000,
      'disk_busy_seconds:sda': 100,
      'interface_received_bytes:eth0': 300_000,
      'interface_sent_bytes:eth0': 400_000,
      'interface_errors:eth0': 3,
    })
    assert.equal(dropped, 5)
  })

  it('are the same in protobuf and in JSON', () => {
    assert.deepEqual(read(metricsJson(resources), true), read(metricsProtobuf(resources), false))
  })

  it('give rates with the request before', () => {
    const [first, second] = [0, 60].map((later) => only(hostMetrics(AT + later, { seconds: 1_000 + later })))
    const { counters } = measure(first as MachineReport, null, new Date(AT * 1_000))
    const { sample } = measure(second as MachineReport, counters, new Date(AT * 1_000))
    assert.equal(Math.round(sample.cpu_percent ?? 0), 20)
    assert.equal(Math.round(sample.cpu_iowait_percent ?? 0), 5)
    assert.equal(sample['interface_sent_bytes:eth0'], 400)
    assert.equal(Math.round(sample['disk_busy_percent:sda'] ?? 0), 10)
  })

  it('give the same rates at once where they are told as differences', () => {
    const deltas = hostMetrics(AT, { seconds: 60 }).map(({ sum, ...metric }) =>
      sum ? { ...metric, isDelta: true, sum: sum.map((point) => ({ ...point, since: AT - 60 })) } : metric,
    )
    const { gauges, counters } = only(deltas)
    assert.deepEqual(
      Object.fromEntries(Object.entries(gauges).filter(([key]) => /cpu|disk|interface/.test(key))),
      {
        cpu_percent: 20,
        cpu_user_percent: 15,
        cpu_system_percent: 5,
        cpu_iowait_percent: 5,
        cpu_steal_percent: 0,
        'disk_read_bytes:sda': 1_000,
        'disk_written_bytes:sda': 2_000,
        'disk_busy_percent:sda': 10,
        'interface_received_bytes:eth0': 300,
        'interface_sent_bytes:eth0': 400,
        'interface_errors:eth0': 3 / 60,
      },
    )
    assert.deepEqual(counters.values, {})
  })

  it('take utilization where that is told', () => {
    const share = (value: number, cpu: string, state: string) => ({
      value,
      at: AT,
      attributes: { cpu, state },
    })
    const { gauges } = only([
      {
        name: 'system.cpu.utilization',
        gauge: [
          share(0.5, 'cpu0', 'idle'),
          share(0.9, 'cpu1', 'idle'),
          share(0.4, 'cpu0', 'user'),
          share(0.1, 'cpu1', 'user'),
          share(0.1, 'cpu0', 'wait'),
          share(0, 'cpu1', 'wait'),
        ],
      },
    ])
    assert.deepEqual(gauges, { cpu_percent: 25, cpu_user_percent: 25, cpu_iowait_percent: 5 })
  })

  it('of Proxmox VE are read, whose integers are numbers of JSON', () => {
    const metric = (name: string, kind: 'gauge' | 'sum', asInt: number, attributes: object[] = []) => ({
      name: `proxmox_node_${name}`,
      unit: '1',
      [kind]: { dataPoints: [{ timeUnixNano: AT * 1e9, attributes, asInt }], aggregationTemporality: 2 },
    })
    const eno1 = [{ key: 'device', value: { stringValue: 'eno1' } }]
    const body = {
      resourceMetrics: [
        {
          resource: { attributes: [{ key: 'proxmox.node', value: { stringValue: 'pve1' } }] },
          scopeMetrics: [
            {
              scope: {},
              metrics: [
                metric('uptime', 'gauge', 86_400),
                metric('cpustat_user_total', 'sum', 20_000),
                metric('cpustat_system_total', 'sum', 5_000),
                metric('cpustat_idle_total', 'sum', 75_000),
                metric('memory_memtotal', 'gauge', 8e9),
                metric('memory_memused', 'gauge', 2e9),
                metric('blockstat_blocks', 'gauge', 100e9),
                metric('blockstat_bfree', 'gauge', 70e9),
                metric('blockstat_bavail', 'gauge', 60e9),
                metric('network_receive_total', 'sum', 300, eno1),
                { ...metric('uptime', 'gauge', 60), name: 'proxmox_vm_uptime' },
              ],
            },
          ],
        },
      ],
    }
    const { reports, dropped } = read(new TextEncoder().encode(JSON.stringify(body)), true)
    const [{ machine, gauges, counters }] = reports as [MachineReport]
    assert.equal(machine.host_name, 'pve1')
    assert.deepEqual(gauges, {
      memory_total_bytes: 8e9,
      memory_available_bytes: 6e9,
      uptime_seconds: 86_400,
      'file_system_size_bytes:/': 100e9,
      'file_system_used_percent:/': (100 * 30) / 90,
    })
    assert.deepEqual(counters.values, {
      cpu_user_seconds: 200,
      cpu_system_seconds: 50,
      cpu_idle_seconds: 750,
      'interface_received_bytes:eno1': 300,
    })
    assert.equal(dropped, 1)
  })

  it('tell machines apart by their ids, else by their names', () => {
    const of = (name: string, id: string): WrittenResource => ({
      attributes: { 'host.name': name, ...(id ? { 'host.id': id } : {}) },
      metrics: hostMetrics(AT).slice(1, 2),
    })
    const names = (...of: WrittenResource[]) =>
      read(metricsProtobuf(of), false).reports.map(({ machine }) => machine.host_name)
    assert.deepEqual(names(of('a', '1'), of('a', '2'), of('a', '1')), ['a', 'a'])
    assert.deepEqual(names(of('a', ''), of('b', ''), of('a', '')), ['a', 'b'])
    assert.equal(names(...Array.from({ length: 9 }, (_, index) => of(`m${index}`, ''))).length, 4)
  })

  it('are none in an empty request, as a test of a connection sends it', () => {
    for (const body of [
      '{}',
      '{"resourceMetrics":[]}',
      '{"resourceMetrics":[{"resource":{"attributes":[]}}]}',
    ]) {
      assert.deepEqual(read(new TextEncoder().encode(body), true).reports, [])
    }
    assert.deepEqual(read(new Uint8Array(), false).reports, [])
  })

  it('are refused where the body is something else', () => {
    for (const [body, isJson] of [
      ['[]', true],
      ['{"resourceMetrics":', true],
      ['', true],
      ['{"resourceMetrics":[]}', false],
    ] as const) {
      const reading = readOpenTelemetry(new TextEncoder().encode(body), { now: AT, isJson })
      assert.ok('fault' in reading, body)
      assert.match(reading.fault, isJson ? /no JSON object/ : /in protobuf/)
    }
  })
})
