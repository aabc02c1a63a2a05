import type { Counters } from '../counters.ts'
import { MAX_TOP_PROCESSES, type TopProcess } from '../machine-report.ts'
import { isInterface, partName, readable, wholeDisks } from '../parts.ts'
import type { Sample } from '../series.ts'
import { readNumber, readTable, type Sections, words } from './sections.ts'

type Values = Counters['values']

const KIBIBYTE = 1024
/** /proc counts processor time in these, whatever the kernel's own ticks are. */
const TICKS_PER_SECOND = 100
/** The unit of /proc/diskstats, whatever the sectors of the disk are. */
const SECTOR_BYTES = 512
const MEMINFO_LINE = /^(\w+):\s+(\S+) kB\s*$/
const MAX_PROCESS_NAME_LENGTH = 64

/** Figures of Linux, by its /proc and /sys. */
export function linuxGauges(sections: Sections): Sample {
  return { ...load(sections), ...memory(sections), ...temperature(sections) }
}

export function linuxCounters(sections: Sections): Values {
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
function limited(sections: Sections, total: number | undefined, available: number | undefined): Values {
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

function cpu(sections: Sections): Values {
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

function disks(sections: Sections): Values {
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
  const values: Values = {}
  for (const { name, read, written, busyMs } of used) {
    const part = partName(name)
    if (part === null) continue
    values[`disk_read_bytes:${part}`] = read * SECTOR_BYTES
    values[`disk_written_bytes:${part}`] = written * SECTOR_BYTES
    values[`disk_busy_seconds:${part}`] = busyMs / 1000
  }
  return given(values)
}

function interfaces(sections: Sections): Values {
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

type Traffic = { name: string; received: number; sent: number; errors: number }

/** The interfaces that carried something, those with the most first. */
export function trafficOf(rows: Traffic[]): Values {
  const used = rows.filter(({ received, sent }) => received + sent > 0)
  used.sort((a, b) => b.received + b.sent - a.received - a.sent)
  const values: Values = {}
  for (const { name, received, sent, errors } of used) {
    const part = partName(name)
    if (part === null) continue
    values[`interface_received_bytes:${part}`] = received
    values[`interface_sent_bytes:${part}`] = sent
    values[`interface_errors:${part}`] = errors
  }
  return given(values)
}

function pressure(sections: Sections): Values {
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
export function readTop(sections: Sections): TopProcess[] {
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

/** Leaves out what is unknown. */
export function given(values: Record<string, number | undefined>): Values {
  const entries = Object.entries(values).filter(
    (entry): entry is [string, number] => entry[1] !== undefined && Number.isFinite(entry[1]),
  )
  return Object.fromEntries(entries)
}
