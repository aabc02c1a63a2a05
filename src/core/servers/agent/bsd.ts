import type { Sample } from '../series.ts'
import { isInterface, partName } from '../series.ts'
import {
  type AgentFigures,
  given,
  readNumber,
  readTable,
  type Sections,
  trafficOf,
  words,
} from './sections.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
/** The unit of processor time on FreeBSD. Only shares are made of it. */
const STAT_HZ = 127

/** Figures of macOS and FreeBSD, by sysctl, vm_stat, top, swapinfo, netstat and iostat. */
export function bsdGauges(sections: Sections): Sample {
  return { ...load(sections), ...memory(sections), ...swap(sections), ...cpuUsage(sections) }
}

export function bsdCounters(sections: Sections): AgentFigures {
  return { ...cpu(sections), ...interfaces(sections), ...disks(sections) }
}

/** `kern.ostype: FreeBSD`; undefined where it does not stand. */
export function sysctl(sections: Sections, name: string): string | undefined {
  const line = sections.of('sysctl').find((text) => text.startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}

function number(sections: Sections, name: string): number | undefined {
  return readNumber(sysctl(sections, name))
}

/** Epoch seconds. */
export function bootTime(sections: Sections): number | undefined {
  return readNumber(/\bsec = (\d+)/.exec(sysctl(sections, 'kern.boottime') ?? '')?.[1])
}

function load(sections: Sections): Sample {
  const [, one, five, fifteen] = words(sysctl(sections, 'vm.loadavg') ?? '').map(readNumber)
  return given({ load_1: one, load_5: five, load_15: fifteen })
}

function memory(sections: Sections): Sample {
  const total = number(sections, 'hw.memsize') ?? number(sections, 'hw.physmem')
  if (total === undefined) return {}
  const available = appleAvailable(sections, total) ?? freebsdAvailable(sections)
  return given({ memory_total_bytes: total, memory_available_bytes: available })
}

/** Memory that programs do not hold, as the Activity Monitor counts it: neither anonymous, wired nor compressed. */
function appleAvailable(sections: Sections, total: number): number | undefined {
  const lines = sections.of('vm_stat')
  const page = readNumber(/page size of (\d+) bytes/.exec(lines[0] ?? '')?.[1])
  const pages = readTable(lines, /^"?([\w -]+?)"?:\s+(\d+)\.$/)
  const [anonymous, wired] = [pages.get('Anonymous pages'), pages.get('Pages wired down')]
  if (page === undefined || anonymous === undefined || wired === undefined) return undefined
  const programs = anonymous - (pages.get('Pages purgeable') ?? 0)
  return Math.max(0, total - page * (programs + wired + (pages.get('Pages occupied by compressor') ?? 0)))
}

function freebsdAvailable(sections: Sections): number | undefined {
  const [page, free] = [number(sections, 'hw.pagesize'), number(sections, 'vm.stats.vm.v_free_count')]
  if (page === undefined || free === undefined) return undefined
  const inactive = number(sections, 'vm.stats.vm.v_inactive_count') ?? 0
  const arc = number(sections, 'kstat.zfs.misc.arcstats.size') ?? 0
  return page * (free + inactive) + arc
}

function swap(sections: Sections): Sample {
  const usage = sysctl(sections, 'vm.swapusage')
  if (usage !== undefined) {
    const mebibytes = (name: string) =>
      (readNumber(new RegExp(`\\b${name} = ([\\d.]+)M`).exec(usage)?.[1]) ?? Number.NaN) * MEBIBYTE
    return given({ swap_total_bytes: mebibytes('total'), swap_used_bytes: mebibytes('used') })
  }
  const devices = sections.of('swapinfo').flatMap((line) => {
    const [, total, used] = /^\/\S+\s+(\d+)\s+(\d+)\s/.exec(line) ?? []
    return total === undefined ? [] : [{ total: Number(total), used: Number(used) }]
  })
  if (sections.of('swapinfo').length === 0) return {}
  const sum = (key: 'total' | 'used') => devices.reduce((all, device) => all + device[key], 0) * KIBIBYTE
  return { swap_total_bytes: sum('total'), swap_used_bytes: sum('used') }
}

/** `CPU usage: 3.44% user, 10.91% sys, 85.64% idle` of macOS's `top`, which took the time to measure it. */
function cpuUsage(sections: Sections): Sample {
  const line = sections.of('cpu_usage').findLast((text) => text.startsWith('CPU usage:')) ?? ''
  const [, user, system, idle] =
    /([\d.]+)% user, ([\d.]+)% sys, ([\d.]+)% idle/.exec(line)?.map(readNumber) ?? []
  if (user === undefined || system === undefined || idle === undefined) return {}
  return { cpu_percent: Math.max(0, 100 - idle), cpu_user_percent: user, cpu_system_percent: system }
}

function cpu(sections: Sections): AgentFigures {
  const ticks = words(sysctl(sections, 'kern.cp_time') ?? '')
  const [user, nice, system, interrupt, idle] = ticks.map(
    (text) => (readNumber(text) ?? Number.NaN) / STAT_HZ,
  )
  if (user === undefined || nice === undefined || system === undefined || interrupt === undefined) return {}
  return given({
    cpu_user_seconds: user + nice,
    cpu_system_seconds: system + interrupt,
    cpu_idle_seconds: idle,
  })
}

/** The lines of links in `netstat -ibn`, whose columns are counted from the right: an address may be missing. */
function interfaces(sections: Sections): AgentFigures {
  const [header = '', ...lines] = sections.of('netstat')
  const columns = words(header.slice(Math.max(0, header.indexOf('Ipkts'))))
  const rows = lines.flatMap((line) => {
    const cells = words(line)
    const name = cells[0]?.replace(/\*$/, '') ?? ''
    if (!line.includes('<Link#') || !isInterface(name)) return []
    const counts = cells.slice(-columns.length)
    const read = (column: string) => readNumber(counts[columns.indexOf(column)]) ?? Number.NaN
    const errors = read('Ierrs') + read('Oerrs')
    return [{ name, received: read('Ibytes'), sent: read('Obytes'), errors }]
  })
  return trafficOf(rows)
}

/** `iostat -Idx` of FreeBSD: all since the start. `sb/i`: busy seconds. */
function disks(sections: Sections): AgentFigures {
  const lines = sections.of('iostat')
  const header = lines.findIndex((line) => line.startsWith('device'))
  const columns = words(lines[header] ?? '')
  const values: Record<string, number> = {}
  for (const line of lines.slice(header + 1)) {
    const cells = words(line)
    const name = partName(cells[0] ?? '')
    if (name === null || header < 0 || /^(cd|pass|md)\d/.test(name)) continue
    const read = (column: string) => readNumber(cells[columns.indexOf(column)]) ?? Number.NaN
    values[`disk_read_bytes:${name}`] = read('kr/i') * KIBIBYTE
    values[`disk_written_bytes:${name}`] = read('kw/i') * KIBIBYTE
    values[`disk_busy_seconds:${name}`] = read('sb/i')
  }
  return given(values)
}
