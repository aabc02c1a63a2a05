import { MAX_NAME_LENGTH } from '../../text.ts'
import type { MachineReport, ReportSource } from '../machine-report.ts'
import { MAX_NAMES, MAX_SERIES_NAME } from '../not-understood.ts'
import { partName, readable } from '../series.ts'
import {
  FIELDS,
  type GatheredMachine,
  type InputField,
  type KnownSeries,
  type KnownSeriesTable,
} from './known-series.ts'
import {
  MAX_INPUT_MACHINES,
  MAX_INPUT_READINGS,
  MAX_POINT_LABELS,
  type Point,
  type SenderFacts,
} from './point.ts'
import { reportOf } from './report-of.ts'

/** Puts the points of one request together, by machine. `now`: for points without a time, in epoch seconds. */
export function gathering(source: ReportSource, known: KnownSeriesTable, now: number) {
  const machines = new Map<string, GatheredMachine>()
  let dropped = 0
  const unknown = new Set<string>()

  function machineOf(told: SenderFacts): GatheredMachine | null {
    const key = told.machine_id ?? told.host_name ?? ''
    const found = machines.get(key)
    if (found !== undefined) return found
    if (machines.size >= MAX_INPUT_MACHINES) return null
    const machine: GatheredMachine = { told, fields: new Map(), fileSystems: new Map(), count: 0 }
    machines.set(key, machine)
    return machine
  }

  function isKept(point: Point, told: SenderFacts): boolean {
    const series = Object.hasOwn(known, point.name) ? known[point.name] : undefined
    if (series === undefined || !Number.isFinite(point.value) || !hasLabels(series, point)) return false
    const field = fieldOf(series, point)
    if (field === null) return false
    const part = FIELDS[field].of === null ? null : partOf(series, point)
    if (part === null && FIELDS[field].of !== null) return false
    const machine = machineOf(told)
    return machine !== null && addReading(machine, { series, point, field, part, now })
  }

  function noteUnknown(name: string): void {
    if (unknown.size < MAX_NAMES) unknown.add(name.slice(0, MAX_SERIES_NAME))
  }

  return {
    /** Counts points of a series that is not looked at any further, such as one whose points have no place in a report. */
    drop(count: number, name: string): void {
      dropped += count
      if (count > 0) noteUnknown(name)
    },
    add(point: Point, told: SenderFacts): void {
      if (isKept(point, told)) return
      dropped += 1
      noteUnknown(point.name)
    },
    /** Adds to what is known of the machine that is told about. */
    tell(told: SenderFacts): void {
      const machine = machineOf(told)
      if (machine !== null) machine.told = { ...machine.told, ...told }
    },
    finish(): { reports: MachineReport[]; dropped: number; unknown: string[] } {
      const reports: MachineReport[] = []
      for (const machine of machines.values()) {
        if (machine.count === 0) continue
        const read = reportOf(source, machine)
        reports.push(read.report)
        dropped += read.dropped
      }
      return { reports, dropped, unknown: [...unknown] }
    },
  }
}
export type Gathering = ReturnType<typeof gathering>

/** A text of a sender as a fact; null if nothing readable is left of it. */
export function fact(text: string | undefined): string | null {
  return text === undefined ? null : readable(text, MAX_NAME_LENGTH)
}

/** Only facts that are there. */
export function knownFacts(facts: { [key in keyof SenderFacts]: string | null }): SenderFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as SenderFacts
}

type Found = { series: KnownSeries; point: Point; field: InputField; part: string | null; now: number }

/** False for one that is older than another one of its request, or too many. */
function addReading(machine: GatheredMachine, { series, point, field, part, now }: Found): boolean {
  const key = part === null ? field : `${field}:${part}`
  const gathered = machine.fields.get(key) ?? { field, part, readings: new Map() }
  const group = (series.member ?? []).map((label) => labelOf(point, label) ?? '').join('\n')
  const mode = series.by === undefined ? '' : (firstLabel(point, series.by) ?? '')
  const member = `${point.name}\n${mode}\n${group}`
  const before = gathered.readings.get(member)
  const at = point.at ?? now
  if (before !== undefined && before.at > at) return false
  if (before === undefined && ++machine.count > MAX_INPUT_READINGS) return false
  machine.fields.set(key, gathered)
  gathered.readings.set(member, {
    member,
    group,
    value: point.value * (series.factor ?? 1),
    at,
    over: point.over,
  })
  if (FIELDS[field].of === 'file_system' && part !== null) noteFileSystem(machine, part, series, point)
  // The older one of two readings makes room: one of them counts as dropped.
  return before === undefined
}

function noteFileSystem(machine: GatheredMachine, part: string, series: KnownSeries, point: Point): void {
  const known = machine.fileSystems.get(part)
  machine.fileSystems.set(part, {
    device: firstLabel(point, series.device ?? []) ?? known?.device ?? null,
    type: firstLabel(point, series.type ?? []) ?? known?.type ?? null,
  })
}

function hasLabels(series: KnownSeries, point: Point): boolean {
  if (Object.keys(point.labels).length > MAX_POINT_LABELS) return false
  return Object.entries(series.where ?? {}).every(([label, value]) => labelOf(point, label) === value)
}

function fieldOf(series: KnownSeries, point: Point): InputField | null {
  if (series.field !== undefined) return series.field
  const value = firstLabel(point, series.by ?? [])
  const fields = series.fields ?? {}
  return value !== undefined && Object.hasOwn(fields, value) ? (fields[value] ?? null) : null
}

function partOf(series: KnownSeries, point: Point): string | null {
  const text = firstLabel(point, series.part ?? []) ?? series.partIs
  return text === undefined ? null : partName(text)
}

function firstLabel(point: Point, names: readonly string[]): string | undefined {
  const name = names.find((label) => labelOf(point, label) !== undefined)
  return name === undefined ? undefined : labelOf(point, name)
}

function labelOf({ labels }: Point, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined
}
