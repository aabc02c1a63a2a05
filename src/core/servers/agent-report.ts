import { bootTime, bsdCounters, bsdGauges, sysctl } from './agent/bsd.ts'
import { fileSystemGauges } from './agent/file-systems.ts'
import { given, linuxCounters, linuxGauges, readTop } from './agent/linux.ts'
import { readNumber, readSections, readTable, type Sections, words } from './agent/sections.ts'
import type { Counters } from './counters.ts'
import type { Machine, MachineReport } from './machine-report.ts'
import { readable } from './parts.ts'

const MAX_FACT_LENGTH = 255
/** Names of failed units that are kept; the figure counts all that were told. */
const MAX_FAILED_UNITS = 20
/** The last second of the years that a date can hold. */
const MAX_EPOCH_SECONDS = 8_640_000_000_000

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
      ...bsdGauges(sections),
      ...linuxGauges(sections),
      ...told(sections, 'gauges'),
      ...given({ uptime_seconds: uptime, processes: readNumber(first(sections, 'processes')) }),
      ...(sections.has('failed') ? { failed_units: failed.length } : {}),
      ...fileSystemGauges(sections),
    },
    counters: readCounters(sections, machine, uptime, time),
    top: readTop(sections),
    failedUnits: failed.slice(0, MAX_FAILED_UNITS),
  }
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
  const values = { ...bsdCounters(sections), ...linuxCounters(sections), ...told(sections, 'counters') }
  const clock = uptime === undefined ? 'wall' : 'uptime'
  return { bootId: machine.boot_id, at: uptime ?? time ?? 0, clock, values }
}

/** Figures that a program worked out itself, by the keys of our series: `disk_read_bytes:C: 1024`. */
function told(sections: Sections, section: 'gauges' | 'counters'): Record<string, number> {
  return Object.fromEntries(readTable(sections.of(section), /^([a-z_0-9]+(?::.{1,128})?) (-?[\d.]+)\s*$/))
}
