import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Counters, MachineReport } from '../../../src/core/servers/machine-report.ts'
import { MAX_RATE_SECONDS, measure } from '../../../src/core/servers/measure.ts'
import { MAX_DISKS, type Sample } from '../../../src/core/servers/series.ts'

const NOW = new Date('2026-11-23T03:20:00Z')

function counters(at: number, values: Record<string, number>, other: Partial<Counters> = {}): Counters {
  return { bootId: 'a', at, clock: 'uptime', values, ...other }
}

function report(counted: Counters, gauges: Sample = {}, takenAt: Date | null = null): MachineReport {
  return {
    machine: MACHINE,
    takenAt,
    gauges,
    counters: counted,
    top: [],
    failedUnits: [],
    hosted: null,
  }
}

const MACHINE = {
  source: 'agent',
  host_name: null,
  os: null,
  kernel: null,
  architecture: null,
  cpus: null,
  machine_id: null,
  boot_id: null,
  agent_version: null,
} as const

function sampleOf(now: Counters, before: Counters | null): Sample {
  return measure(report(now), before, NOW).sample
}

const CPU = { cpu_user_seconds: 10, cpu_system_seconds: 10, cpu_idle_seconds: 100, cpu_iowait_seconds: 5 }
const cpuAfter = (user: number, system: number, idle: number, iowait: number, steal?: number) => ({
  cpu_user_seconds: 10 + user,
  cpu_system_seconds: 10 + system,
  cpu_idle_seconds: 100 + idle,
  cpu_iowait_seconds: 5 + iowait,
  ...(steal === undefined ? {} : { cpu_steal_seconds: steal }),
})

describe('rates', () => {
  const READ = 'disk_read_bytes:sda'
  const cases: [name: string, now: Counters, before: Counters | null, sample: Sample][] = [
    [
      'come from two readings',
      counters(160, { [READ]: 7_000 }),
      counters(100, { [READ]: 1_000 }),
      { [READ]: 100 },
    ],
    ['need a reading before', counters(160, { [READ]: 7_000 }), null, {}],
    [
      'have a gap at a reset or a wrap',
      counters(160, { [READ]: 5 }),
      counters(100, { [READ]: 4_294_967_290 }),
      {},
    ],
    [
      'have a gap at a restart',
      counters(160, { [READ]: 7_000 }, { bootId: 'b' }),
      counters(100, { [READ]: 1_000 }),
      {},
    ],
    [
      'have a gap at a restart that only the uptime tells',
      counters(60, { [READ]: 7_000 }, { bootId: null }),
      counters(100, { [READ]: 1_000 }, { bootId: null }),
      {},
    ],
    ['are not of the same time', counters(100, { [READ]: 7_000 }), counters(100, { [READ]: 1_000 }), {}],
    [
      'are not of another clock',
      counters(160, { [READ]: 7_000 }, { clock: 'wall' }),
      counters(100, { [READ]: 1_000 }),
      {},
    ],
    [
      'have a gap after a long silence',
      counters(101 + MAX_RATE_SECONDS, { [READ]: 7_000 }),
      counters(100, { [READ]: 1_000 }),
      {},
    ],
    ['of nothing are 0', counters(160, { [READ]: 7 }), counters(100, { [READ]: 7 }), { [READ]: 0 }],
    ['that no disk reaches are unknown', counters(101, { [READ]: 1e14 }), counters(100, { [READ]: 0 }), {}],
    ['are not of unknown counters', counters(160, { made_up: 9 }), counters(100, { made_up: 1 }), {}],
    [
      'of pressure are percent',
      counters(160, { pressure_io_seconds: 16 }),
      counters(100, { pressure_io_seconds: 10 }),
      { pressure_io_percent: 10 },
    ],
    [
      'of busy disks end at 100, though the clock was read a bit early',
      counters(110, { 'disk_busy_seconds:sda': 10.4 }),
      counters(100, { 'disk_busy_seconds:sda': 0 }),
      { 'disk_busy_percent:sda': 100 },
    ],
    [
      'of disks that were busier than the time are unknown',
      counters(110, { 'disk_busy_seconds:sda': 30 }),
      counters(100, { 'disk_busy_seconds:sda': 0 }),
      {},
    ],
    [
      'of interfaces are told apart',
      counters(110, { 'interface_sent_bytes:eth0': 30, 'interface_sent_bytes:a:b': 5 }),
      counters(100, { 'interface_sent_bytes:eth0': 0, 'interface_sent_bytes:a:b': 0 }),
      { 'interface_sent_bytes:eth0': 3, 'interface_sent_bytes:a:b': 0.5 },
    ],
    [
      'of processors are shares of all time: stolen time is not free',
      counters(160, cpuAfter(20, 10, 50, 10, 10)),
      counters(100, { ...CPU, cpu_steal_seconds: 0 }),
      {
        cpu_percent: 40,
        cpu_user_percent: 20,
        cpu_system_percent: 10,
        cpu_iowait_percent: 10,
        cpu_steal_percent: 10,
      },
    ],
    [
      'of processors know nothing of what was not told',
      counters(160, cpuAfter(20, 10, 60, 10)),
      counters(100, CPU),
      { cpu_percent: 30, cpu_user_percent: 20, cpu_system_percent: 10, cpu_iowait_percent: 10 },
    ],
    [
      'of processors stand a step back of what waited, as kernels make',
      counters(160, cpuAfter(25, 25, 50, -0.5)),
      counters(100, CPU),
      { cpu_percent: 50, cpu_user_percent: 25, cpu_system_percent: 25, cpu_iowait_percent: 0 },
    ],
    ['of processors have a gap at a reset', counters(160, cpuAfter(-5, 1, 1, 1)), counters(100, CPU), {}],
  ]
  for (const [name, now, before, sample] of cases) {
    it(name, () => assert.deepEqual(sampleOf(now, before), sample))
  }
})

describe('counters that are kept', () => {
  it('stay for a while if a report lacks them, with their time', () => {
    const first = counters(100, { pressure_io_seconds: 1, 'disk_read_bytes:sda': 0 })
    const second = measure(report(counters(160, { pressure_io_seconds: 1 })), first, NOW)
    assert.deepEqual(
      second.counters,
      counters(
        160,
        { pressure_io_seconds: 1, 'disk_read_bytes:sda': 0 },
        { times: { 'disk_read_bytes:sda': 100 } },
      ),
    )
    const third = measure(report(counters(220, { 'disk_read_bytes:sda': 1_200 })), second.counters, NOW)
    assert.deepEqual(third.sample, { 'disk_read_bytes:sda': 10 })
    const later = measure(report(counters(101 + MAX_RATE_SECONDS, {})), first, NOW)
    assert.deepEqual(later.counters.values, {})
  })

  it('are not replaced by a reading that comes late', () => {
    const wall = { clock: 'wall', bootId: null } as const
    const before = counters(1_000, { pressure_io_seconds: 5 }, wall)
    const late = measure(report(counters(990, { pressure_io_seconds: 4 }, wall)), before, NOW)
    assert.deepEqual(late, { sample: {}, counters: before })
    const setBack = counters(1, { pressure_io_seconds: 4 }, wall)
    assert.deepEqual(measure(report(setBack), before, NOW).counters, setBack)
  })

  it('are known, possible and bounded', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`disk_read_bytes:sd${i}`, i] as const),
    )
    const values = {
      ...many,
      made_up: 1,
      cpu_user_seconds: Number.NaN,
      cpu_idle_seconds: -1,
      disk_read_bytes: 1,
    }
    const kept = measure(report(counters(1, values)), null, NOW).counters.values
    assert.deepEqual(Object.keys(kept), Object.keys(many).slice(0, MAX_DISKS))
  })
})

describe('gauges', () => {
  const cases: [name: string, gauges: Sample, kept: Sample][] = [
    ['are kept', { load_1: 0.5, 'inodes_used_percent:/': 3 }, { load_1: 0.5, 'inodes_used_percent:/': 3 }],
    ['of unknown names are dropped', { load_2: 0.5, 'load_1:x': 1, inodes_used_percent: 3 }, {}],
    [
      'that cannot be are dropped',
      {
        cpu_percent: 100.1,
        load_1: -1,
        load_5: Number.NaN,
        uptime_seconds: -5,
        temperature_celsius: 1_000,
        memory_total_bytes: 17_179_869_183 * 2 ** 30,
        'file_system_used_percent:/': Number.POSITIVE_INFINITY,
      },
      {},
    ],
    [
      'that contradict each other are dropped',
      { memory_total_bytes: 5, memory_available_bytes: 6, swap_total_bytes: 0, swap_used_bytes: 1 },
      { memory_total_bytes: 5, swap_total_bytes: 0 },
    ],
  ]
  for (const [name, gauges, kept] of cases) {
    it(name, () => assert.deepEqual(measure(report(counters(1, {}), gauges), null, NOW).sample, kept))
  }

  it("compare the machine's clock with ours", () => {
    const taken = new Date(NOW.getTime() - 2_500)
    assert.deepEqual(measure(report(counters(1, {}), {}, taken), null, NOW).sample, {
      clock_skew_seconds: -2.5,
    })
  })
})
