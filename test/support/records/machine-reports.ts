import type { Machine, MachineReport } from '../../../src/core/servers/machine-report.ts'

type Changes = Partial<Omit<MachineReport, 'machine' | 'counters'>> & {
  machine?: Partial<Machine>
  /** The machine runs this long, in seconds. */
  uptime?: number
  counters?: Partial<MachineReport['counters']>
}

/** The report of a small machine that is fine, as the agent's is read. */
export function machineReport({
  machine,
  counters,
  uptime = 1_000,
  ...changes
}: Changes = {}): MachineReport {
  const bootId = machine?.boot_id === undefined ? 'boot-1' : machine.boot_id
  return {
    machine: {
      source: 'agent',
      host_name: 'web-1',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: 'Linux 6.1.0',
      architecture: 'x86_64',
      cpus: 2,
      machine_id: 'machine-1',
      boot_id: 'boot-1',
      agent_version: '1.0',
      ...machine,
    },
    takenAt: null,
    gauges: {
      load_1: 0.1,
      memory_total_bytes: 8_000_000_000,
      memory_available_bytes: 4_000_000_000,
      'file_system_size_bytes:/': 100_000_000_000,
      'file_system_used_percent:/': 40,
    },
    counters: {
      bootId,
      at: uptime,
      clock: 'uptime',
      values: {
        cpu_user_seconds: uptime / 10,
        cpu_system_seconds: uptime / 10,
        cpu_idle_seconds: uptime,
        'disk_read_bytes:sda': uptime * 1_000,
      },
      ...counters,
    },
    top: [],
    failedUnits: [],
    hosted: null,
    ...changes,
  }
}
