import { bootTime, bsdCounters, bsdGauges, sysctl } from './agent/bsd.ts'
import { fileSystemGauges } from './agent/file-systems.ts'
import { readHosted } from './agent/hosted.ts'
import {
  type AgentFigures,
  given,
  readNumber,
  readSections,
  readTable,
  type Sections,
  trafficOf,
  words,
} from './agent/sections.ts'
import type { Counters } from './machine-report.ts'
import { MAX_TOP_PROCESSES, type Machine, type MachineReport, type TopProcess } from './machine-report.ts'
import { isInterface, partName, readable, type Sample, wholeDisks } from './series.ts'

const MAX_FACT_LENGTH = 255
/** Names of failed units that are kept; the figure counts all that were told. */
const MAX_FAILED_UNITS = 20
/** The last second of the years that a date can hold. */
const MAX_EPOCH_SECONDS = 8_640_000_000_000

const KIBIBYTE = 1024
/** /proc counts processor time in these, whatever the kernel's own ticks are. */
const TICKS_PER_SECOND = 100
/** The unit of /proc/diskstats, whatever the sectors of the disk are. */
const SECTOR_BYTES = 512
const MEMINFO_LINE = /^(\w+):\s+(\S+) kB\s*$/
const MAX_PROCESS_NAME_LENGTH = 64

/** Reads what an agent sent (docs/servers.md describes the format). Null: no agent sent this. Never throws. */
export function readAgentReport(text: string): MachineReport | null {
  const sections = readSections(text)
  if (sections === null) return null
  const time = readTime(sections)
  const machine = readMachine(sections)
  const uptime = readUptime(sections, time)
  const failed = sections.of('failed').flatMap((line) => readable(line, MAX_FACT_LENGTH) ?? [])
  return {
    machine,
    takenAt: time === undefined ? null : new Date(time * 1000),
    gauges: {
      ...(isOfBsd(sections) ? bsdGauges(sections) : linuxGauges(sections)),
      ...told(sections, 'gauges'),
      ...given({ uptime_seconds: uptime, processes: readNumber(first(sections, 'processes')) }),
      ...(sections.has('failed') ? { failed_units: failed.length } : {}),
      ...fileSystemGauges(sections),
    },
    counters: readCounters(sections, machine, uptime, time),
    top: readTop(sections),
    failedUnits: failed.slice(0, MAX_FAILED_UNITS),
    hosted: sections.has('containers') || sections.has('units') ? readHosted(sections) : null,
  }
}

/** The agent writes these sections on macOS and FreeBSD alone. */
function isOfBsd(sections: Sections): boolean {
  return sections.has('sysctl')
}

function readMachine(sections: Sections): Machine {
  const fact = (text: string | undefined) => (text === undefined ? null : readable(text, MAX_FACT_LENGTH))
  const [system, release, architecture] = words(first(sections, 'kernel') ?? '')
  const kernel = [system, release].filter((word) => word).join(' ')
  const cpus = readNumber(first(sections, 'cpus') ?? sysctl(sections, 'hw.ncpu'))
  const isCount = Number.isInteger(cpus) && cpus !== undefined && cpus > 0 && cpus <= 65_536
  return {
    source: 'agent',
    host_name: fact(first(sections, 'host')),
    os: fact(readOs(sections.of('os')) ?? readAppleOs(sections.of('sw_vers'))),
    kernel: fact(kernel),
    architecture: fact(architecture),
    cpus: isCount ? cpus : null,
    machine_id: fact(first(sections, 'machine')),
    boot_id: fact(first(sections, 'boot') ?? sysctl(sections, 'kern.bootsessionuuid')),
    agent_version: sections.version,
  }
}

function first(sections: Sections, name: string): string | undefined {
  return sections.of(name)[0]?.trim()
}

/** The name that /etc/os-release gives, whose values may be quoted as in a shell. */
function readOs(lines: readonly string[]): string | undefined {
  const value = (key: string) => {
    const text = lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1)
    return text?.replaceAll(/^["']|["']$/g, '').replaceAll(/\\(.)/g, '$1')
  }
  return value('PRETTY_NAME') ?? value('NAME')
}

/** Epoch seconds. */
function readTime(sections: Sections): number | undefined {
  const time = readNumber(first(sections, 'time'))
  return time !== undefined && time >= 0 && time <= MAX_EPOCH_SECONDS ? time : undefined
}

/** `ProductName: macOS` and `ProductVersion: 15.5`. */
function readAppleOs(lines: readonly string[]): string | undefined {
  const value = (key: string) =>
    lines
      .find((line) => line.startsWith(`${key}:`))
      ?.slice(key.length + 1)
      .trim()
  const [name, version] = [value('ProductName'), value('ProductVersion')]
  return name === undefined ? undefined : `${name} ${version ?? ''}`
}

function readUptime(sections: Sections, time: number | undefined): number | undefined {
  const told = readNumber(words(first(sections, 'uptime') ?? '')[0])
  if (told !== undefined && told >= 0) return told
  const booted = bootTime(sections)
  const since = time === undefined || booted === undefined ? -1 : time - booted
  return since >= 0 ? since : undefined
}

function readCounters(
  sections: Sections,
  machine: Machine,
  uptime: number | undefined,
  time: number | undefined,
): Counters {
  const counters = isOfBsd(sections) ? bsdCounters(sections) : linuxCounters(sections)
  const values = { ...counters, ...told(sections, 'counters') }
  const clock = uptime === undefined ? 'wall' : 'uptime'
  return { bootId: machine.boot_id, at: uptime ?? time ?? 0, clock, values }
}

/** Figures that a program worked out itself, by the keys of our series: `disk_read_bytes:C: 1024`. */
function told(sections: Sections, section: 'gauges' | 'counters'): Record<string, number> {
  return Object.fromEntries(readTable(sections.of(section), /^([a-z_0-9]+(?::.{1,128})?) (-?[\d.]+)\s*$/))
}

/** Figures of Linux, by its /proc and /sys. */
function linuxGauges(sections: Sections): Sample {
  return { ...load(sections), ...memory(sections), ...temperature(sections) }
}

function linuxCounters(sections: Sections): AgentFigures {
  return { ...cpu(sections), ...disks(sections), ...interfaces(sections), ...pressure(sections) }
}

function load(sections: Sections): Sample {
  const [one, five, fifteen] = words(sections.of('loadavg')[0] ?? '').map(readNumber)
  return given({ load_1: one, load_5: five, load_15: fifteen })
}

function memory(sections: Sections): Sample {
  const table = readTable(sections.of('meminfo'), MEMINFO_LINE)
  const bytes = (name: string) => {
    const value = table.get(name)
    return value === undefined ? undefined : value * KIBIBYTE
  }
  const swap = bytes('SwapTotal')
  const swapFree = bytes('SwapFree')
  const total = bytes('MemTotal')
  const available = bytes('MemAvailable') ?? estimatedAvailable(bytes)
  return given({
    ...limited(sections, total, plus(available, spareCache(sections))),
    swap_total_bytes: swap,
    swap_used_bytes: swap === undefined || swapFree === undefined ? undefined : swap - swapFree,
  })
}

/** As kernels before 3.14 leave it: what is free, and what is cached but for what programs share. */
function estimatedAvailable(bytes: (name: string) => number | undefined): number | undefined {
  const [free, buffers, cached] = [bytes('MemFree'), bytes('Buffers'), bytes('Cached')]
  if (free === undefined || buffers === undefined || cached === undefined) return undefined
  return free + buffers + Math.max(0, cached - (bytes('Shmem') ?? 0))
}

/** The part of ZFS's cache that it would give back, which the kernel does not count as available. */
function spareCache(sections: Sections): number {
  const arc = readTable(sections.of('arc'), /^(size|c_min)\s+\d+\s+(\d+)\s*$/)
  return Math.max(0, (arc.get('size') ?? 0) - (arc.get('c_min') ?? 0))
}

function plus(value: number | undefined, more: number): number | undefined {
  return value === undefined ? undefined : value + more
}

/** A container may get less memory than its machine has: then that is all it has. */
function limited(sections: Sections, total: number | undefined, available: number | undefined): AgentFigures {
  const limits = readTable(sections.of('limits'), /([\w.]+)[: ](\d+)\s*$/)
  const limit = limits.get('memory.max') ?? limits.get('memory.limit_in_bytes')
  const used = limits.get('memory.current') ?? limits.get('memory.usage_in_bytes')
  if (limit === undefined || total === undefined || limit === 0 || limit >= total) {
    return given({ memory_total_bytes: total, memory_available_bytes: available })
  }
  const cache = limits.get('inactive_file') ?? limits.get('total_inactive_file') ?? 0
  const left = used === undefined ? undefined : Math.min(limit, Math.max(0, limit - used + cache))
  return given({
    memory_total_bytes: limit,
    memory_available_bytes: left === undefined ? undefined : Math.min(left, available ?? left),
  })
}

/** The hottest sensor: which one it is, differs from machine to machine. */
function temperature(sections: Sections): Sample {
  const degrees = sections
    .of('temperature')
    .map((line) => (readNumber(line.trim()) ?? 0) / 1000)
    .filter((value) => value > 0 && value < 150)
  return degrees.length === 0 ? {} : { temperature_celsius: Math.max(...degrees) }
}

function cpu(sections: Sections): AgentFigures {
  const line = sections.of('stat').find((text) => text.startsWith('cpu ')) ?? ''
  const [user, nice, system, idle, iowait, irq, softirq, steal] = words(line)
    .slice(1)
    .map((text) => (readNumber(text) ?? Number.NaN) / TICKS_PER_SECOND)
  if (user === undefined || nice === undefined || system === undefined) return {}
  return given({
    cpu_user_seconds: user + nice,
    cpu_system_seconds: system + (irq ?? 0) + (softirq ?? 0),
    cpu_idle_seconds: idle,
    cpu_iowait_seconds: iowait,
    cpu_steal_seconds: steal,
  })
}

function disks(sections: Sections): AgentFigures {
  const rows = sections.of('diskstats').map((line) => {
    const [, , name = '', , , read, , , , written, , , busyMs] = words(line)
    return {
      name,
      read: readNumber(read) ?? Number.NaN,
      written: readNumber(written) ?? Number.NaN,
      busyMs: readNumber(busyMs) ?? Number.NaN,
    }
  })
  const whole = wholeDisks(rows.map(({ name }) => name))
  const used = rows.filter(({ name, read, written }) => whole.has(name) && read + written > 0)
  used.sort((a, b) => b.read + b.written - a.read - a.written)
  const values: AgentFigures = {}
  for (const { name, read, written, busyMs } of used) {
    const part = partName(name)
    if (part === null) continue
    values[`disk_read_bytes:${part}`] = read * SECTOR_BYTES
    values[`disk_written_bytes:${part}`] = written * SECTOR_BYTES
    values[`disk_busy_seconds:${part}`] = busyMs / 1000
  }
  return given(values)
}

function interfaces(sections: Sections): AgentFigures {
  const members = new Set(sections.of('bonds').flatMap(words))
  const rows = sections.of('net').flatMap((line) => {
    const [, name = '', rest = ''] = /^\s*([^\s:]+(?::\d+)?):\s*(.*)$/.exec(line) ?? []
    const numbers = words(rest).map((text) => readNumber(text) ?? Number.NaN)
    const [received = Number.NaN, , receiveErrors = 0, , , , , , sent = Number.NaN, , sendErrors = 0] =
      numbers
    return [{ name, received, sent, errors: receiveErrors + sendErrors }]
  })
  return trafficOf(rows.filter(({ name }) => isInterface(name, members)))
}

function pressure(sections: Sections): AgentFigures {
  const kinds = ['cpu', 'memory', 'io'].flatMap((kind): [string, number | undefined][] => {
    const line = sections.of(`pressure_${kind}`).find((text) => text.startsWith('some ')) ?? ''
    const total = readNumber(/\btotal=(\d+)/.exec(line)?.[1])
    return [[`pressure_${kind}_seconds`, total === undefined ? undefined : total / 1_000_000]]
  })
  return given(Object.fromEntries(kinds))
}

/**
 * `took {uptime before} {uptime after} {bytes of a page}`, then processes: ticks of processor time in between, pages of
 * memory, name; or, without that line, percent of both and the name, as `ps` says them. Those that used the most.
 */
function readTop(sections: Sections): TopProcess[] {
  const lines = sections.of('top')
  const [, from, to, page] = words(lines[0] ?? '').map((text) => readNumber(text) ?? Number.NaN)
  const isTold = !lines[0]?.startsWith('took ')
  const memoryTotal = readTable(sections.of('meminfo'), MEMINFO_LINE).get('MemTotal')
  const cpuTicks = isTold ? 100 : ((to ?? Number.NaN) - (from ?? Number.NaN)) * TICKS_PER_SECOND
  const pages = isTold ? 100 : ((memoryTotal ?? Number.NaN) * KIBIBYTE) / (page ?? Number.NaN)
  const found = lines.flatMap((line) => {
    const [, ticks, resident, text = ''] = /^\s*([\d.]{1,15})\s+([\d.]{1,15})\s+(\S.*)$/.exec(line) ?? []
    const name = readable(isTold ? text.slice(text.lastIndexOf('/') + 1) : text, MAX_PROCESS_NAME_LENGTH)
    if (name === null) return []
    const memory = share(Number(resident), pages)
    const memoryPercent = memory !== null && memory > 100 ? null : memory
    return [{ name, cpu_percent: share(Number(ticks), cpuTicks), memory_percent: memoryPercent }]
  })
  const distinct = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
  const need = (one: TopProcess) => Math.max(one.cpu_percent ?? 0, one.memory_percent ?? 0)
  return distinct.sort((a, b) => need(b) - need(a)).slice(0, MAX_TOP_PROCESSES)
}

/** Rounded to a tenth; null for what cannot be. */
function share(part: number, all: number): number | null {
  const percent = Math.round((1000 * part) / all) / 10
  return Number.isFinite(percent) && percent >= 0 && percent <= 1_000_000 ? percent : null
}
