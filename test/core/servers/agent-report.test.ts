import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readAgentReport } from '../../../src/core/servers/agent-report.ts'
import { Machine, type MachineReport } from '../../../src/core/servers/machine-report.ts'
import { measure } from '../../../src/core/servers/measure.ts'
import { MAX_FILE_SYSTEMS, type Sample } from '../../../src/core/servers/series.ts'

const TAKEN_AT = new Date(1_795_404_000_000)
const FOLDER = join(import.meta.dirname, 'agent-reports')

function read(name: string): { report: MachineReport; sample: Sample; counters: Record<string, number> } {
  const report = readAgentReport(readFileSync(join(FOLDER, `${name}.txt`), 'utf8'))
  assert.ok(report)
  const { sample, counters } = measure(report, null, TAKEN_AT)
  return { report, sample, counters: counters.values }
}

/** `[used percent, size in KiB]` by mount point, in the order in which they are kept. */
function fileSystems(sample: Sample): Record<string, [number, number]> {
  const start = 'file_system_size_bytes:'
  return Object.fromEntries(
    Object.keys(sample).flatMap((key) => {
      if (!key.startsWith(start)) return []
      const mount = key.slice(start.length)
      const percent = Math.round(10 * (sample[`file_system_used_percent:${mount}`] ?? Number.NaN)) / 10
      return [[mount, [percent, (sample[key] as number) / 1024] as [number, number]]]
    }),
  )
}

function only(values: Record<string, number>, pattern: RegExp): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => pattern.test(key)))
}

describe('a report of an agent', () => {
  it('of a Debian machine', () => {
    const { report, sample, counters } = read('debian')
    assert.deepEqual(report.machine, {
      source: 'agent',
      host_name: 'web-1',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: 'Linux 6.1.0-28-amd64',
      architecture: 'x86_64',
      cpus: 2,
      machine_id: '8d5f43bb1c1f7a4c7d9a2e0b6c3f58e19a7d4b2c0e6f8a1b3c5d7e9f00112233',
      boot_id: '0f0c5d0e-2a6b-4c39-9f51-6f2f0a7a9d11',
      agent_version: '1.0.0',
    })
    assert.deepEqual(report.takenAt, TAKEN_AT)
    assert.deepEqual(report.failedUnits, ['nginx.service', 'backup.timer'])
    assert.deepEqual(only(sample, /^[^:]+$/), {
      load_1: 0.42,
      load_5: 0.36,
      load_15: 0.3,
      memory_total_bytes: 4_020_000 * 1024,
      memory_available_bytes: 2_814_000 * 1024,
      swap_total_bytes: 1_000_000 * 1024,
      swap_used_bytes: 250_000 * 1024,
      temperature_celsius: 52,
      uptime_seconds: 86_400.52,
      processes: 128,
      failed_units: 2,
      clock_skew_seconds: 0,
    })
    assert.deepEqual(fileSystems(sample), {
      '/': [78.9, 40_000_000],
      '/srv/my files': [25, 100_000_000],
      '/boot/efi': [9.5, 126_678],
    })
    assert.deepEqual(only(sample, /^inodes/), {
      'inodes_used_percent:/': 25,
      'inodes_used_percent:/srv/my files': 1,
    })
    assert.deepEqual(counters, {
      cpu_user_seconds: 3610,
      cpu_system_seconds: 930,
      cpu_idle_seconds: 160_000,
      cpu_iowait_seconds: 200,
      cpu_steal_seconds: 60,
      pressure_cpu_seconds: 2700.730181,
      pressure_memory_seconds: 3.651933,
      pressure_io_seconds: 544.123172,
      'disk_read_bytes:vda': 8_000_000 * 512,
      'disk_written_bytes:vda': 16_000_000 * 512,
      'disk_busy_seconds:vda': 90,
      'disk_read_bytes:vdb': 70_000 * 512,
      'disk_written_bytes:vdb': 8_000 * 512,
      'disk_busy_seconds:vdb': 0.4,
      'interface_received_bytes:eth0': 9e9,
      'interface_sent_bytes:eth0': 3e9,
      'interface_errors:eth0': 4,
    })
  })

  it('of Alpine, where busybox names the columns otherwise', () => {
    const { report, sample } = read('alpine')
    assert.equal(report.machine.os, 'Alpine Linux v3.22')
    assert.deepEqual(fileSystems(sample), { '/': [6.1, 1_919_048], '/boot': [28.4, 95_054] })
    assert.equal(sample['inodes_used_percent:/boot'], (100 * 400) / 24_480)
  })

  it('of a container of LXC, whose memory wrapped below zero', () => {
    const { sample, counters } = read('lxc')
    assert.deepEqual(only(sample, /memory|swap/), {
      memory_total_bytes: 2 ** 31,
      swap_total_bytes: 2 ** 29,
    })
    assert.deepEqual(fileSystems(sample), { '/': [10, 8_388_608] })
    assert.deepEqual(only(counters, /disk/), {})
  })

  it('of a machine with 200 mounts: one device once, and as many as are kept', () => {
    const { sample, counters } = read('mounts')
    const mounts = Object.keys(fileSystems(sample))
    assert.equal(mounts.length, MAX_FILE_SYSTEMS)
    assert.deepEqual(mounts.slice(0, 3), [
      '/',
      '/var/lib/kubelet/pods/40/volume',
      '/var/lib/kubelet/pods/39/volume',
    ])
    assert.deepEqual(
      Object.keys(only(counters, /^disk_read/)),
      ['sda', 'nvme0n1', 'xvda1', 'mmcblk0'].map((name) => `disk_read_bytes:${name}`),
    )
    assert.deepEqual(Object.keys(only(counters, /^interface_sent/)), ['interface_sent_bytes:eth0'])
  })

  it('of bonded interfaces, which count once', () => {
    assert.deepEqual(only(read('bond').counters, /received/), {
      'interface_received_bytes:bond0': 10_000,
      'interface_received_bytes:bond0.40': 9_000,
    })
  })

  it('of pools: their volumes are one, but for those with a quota; what ZFS caches is available', () => {
    const { sample } = read('pools')
    assert.deepEqual(fileSystems(sample), {
      '/': [33.3, 120_000_128],
      '/tank': [40, 1_000_000_000],
      '/backup': [51, 500_000_000],
      '/tank/limited': [95, 10_000_000],
    })
    assert.deepEqual(only(sample, /inodes/), {})
    assert.equal(sample.memory_available_bytes, 3_000_000 * 1024 + 41_943_040_000 - 2_097_152_000)
  })

  it('of a container with a limit of its own', () => {
    const { sample } = read('cgroup')
    assert.deepEqual(only(sample, /memory/), {
      memory_total_bytes: 2 ** 29,
      memory_available_bytes: 2 ** 28,
    })
    assert.deepEqual(fileSystems(sample), { '/': [26.3, 200_000_000], '/data': [10, 50_000_000] })
  })

  it('of a kernel that tells neither what is available nor what is stolen', () => {
    const { report, sample, counters } = read('old-kernel')
    assert.equal(report.machine.os, 'CentOS Linux')
    assert.equal(sample.memory_available_bytes, (200_000 + 50_000 + 300_000 - 50_000) * 1024)
    assert.deepEqual(fileSystems(sample), { '/': [100, 10_000_000] })
    assert.equal(counters.cpu_steal_seconds, undefined)
  })

  it('of macOS', () => {
    const { report, sample, counters } = read('macos')
    assert.equal(report.machine.cpus, 8)
    assert.equal(report.machine.os, 'macOS 15.5')
    assert.equal(report.machine.boot_id, '9D1B2C3A-0000-4000-8000-00155D012345')
    assert.deepEqual(report.top, [
      { name: 'Some App', cpu_percent: 85, memory_percent: 1.2 },
      { name: 'thing', cpu_percent: 3.1, memory_percent: 12 },
    ])
    assert.deepEqual(only(sample, /^[^:]+$/), {
      load_1: 1.93,
      load_5: 2.11,
      load_15: 2.05,
      memory_total_bytes: 2 ** 34,
      memory_available_bytes: 2 ** 34 - 16_384 * (395_000 - 10_000 + 120_000 + 95_000),
      swap_total_bytes: 2 ** 31,
      swap_used_bytes: 512.5 * 2 ** 20,
      cpu_percent: 20,
      cpu_user_percent: 12.5,
      cpu_system_percent: 7.5,
      uptime_seconds: 86_400,
      processes: 412,
      clock_skew_seconds: 0,
    })
    const used = 10_930_000 + 2_097_172 + 260_000_000
    assert.deepEqual(fileSystems(sample), {
      '/': [Math.round((1000 * used) / (used + 200_000_000)) / 10, used + 200_000_000],
      '/Volumes/My Stick': [92.2, 97_656_250],
    })
    assert.deepEqual(counters, {
      'interface_received_bytes:en0': 6e10,
      'interface_sent_bytes:en0': 5e9,
      'interface_errors:en0': 3,
    })
  })

  it('of FreeBSD', () => {
    const { sample, counters } = read('freebsd')
    assert.equal(sample.memory_available_bytes, 4096 * 700_000 + 2_000_000_000)
    assert.equal(sample.swap_used_bytes, 524_288 * 1024)
    assert.equal(sample.uptime_seconds, 4_000)
    assert.deepEqual(fileSystems(sample), { '/': [10, 50_000_100], '/data': [97.8, 1_000_000] })
    assert.deepEqual(counters, {
      cpu_user_seconds: 110,
      cpu_system_seconds: 60,
      cpu_idle_seconds: 2000,
      'interface_received_bytes:em0': 1e9,
      'interface_sent_bytes:em0': 2e8,
      'interface_errors:em0': 3,
      'disk_read_bytes:ada0': 409_600_000,
      'disk_written_bytes:ada0': 819_200_000,
      'disk_busy_seconds:ada0': 12.5,
    })
  })

  it('of Windows, which works its figures out itself', () => {
    const { sample, counters } = read('windows')
    assert.deepEqual(only(sample, /:|made_up/), {
      'file_system_size_bytes:C:': 135_838_822_400,
      'file_system_used_percent:C:': 45.3,
      'file_system_size_bytes:D:': 1_000,
    })
    assert.equal(counters['disk_busy_seconds:0 C:'], 500.5)
    assert.equal(counters['interface_sent_bytes:Intel[R] 82574L Gigabit'], 700_000)
  })

  it('names the processes that use the most, by name alone', () => {
    const top = [
      'took 7.5 9.5 4096',
      '180 20000 node',
      '2 250000 postgres: writer',
      '0 5 sh',
      '20 1000 cron',
      '30 100 (sd pam)',
      '9 9 ninth',
      '180 20000 node',
    ].join('\n')
    const report = readAgentReport(`upbeat-agent 1 1.0.0\n@top\n${top}\n@meminfo\nMemTotal: 4000000 kB\n`)
    assert.deepEqual(report?.top, [
      { name: 'node', cpu_percent: 90, memory_percent: 2 },
      { name: 'postgres: writer', cpu_percent: 1, memory_percent: 25 },
      { name: '(sd pam)', cpu_percent: 15, memory_percent: 0 },
      { name: 'cron', cpu_percent: 10, memory_percent: 0.1 },
      { name: 'ninth', cpu_percent: 4.5, memory_percent: 0 },
    ])
  })

  it('is none without its first line, or of another format', () => {
    for (const text of ['', '@host\nx', 'upbeat-agent', 'upbeat-agent 2 1.0.0\n@host\nx', '{"a":1}']) {
      assert.equal(readAgentReport(text), null)
    }
    assert.ok(readAgentReport('upbeat-agent 1 1.0.0\r\n@host\r\nx\r\n'))
  })

  it('fits the schema of what is stored, and takes long and strange lines', () => {
    for (const file of readdirSync(FOLDER)) Machine.parse(read(file.replace('.txt', '')).report.machine)
    const strange = `upbeat-agent 1 1\n@host\na\u0000b\u001b[31m\ud800\n@df\n${' '.repeat(65_000)}\n@failed\n${'x\n'.repeat(500)}`
    const report = readAgentReport(strange)
    assert.equal(report?.machine.host_name, 'a b [31m\ufffd')
    assert.equal(report?.gauges.failed_units, 500)
    assert.equal(report?.failedUnits.length, 20)
  })
})
