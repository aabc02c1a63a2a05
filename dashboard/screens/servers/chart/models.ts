import type { SeriesName, Unit } from '../../../../src/core/servers/series.ts'
import type { SeriesHistory, ServerHistory } from '../../../../src/core/servers/shown-server.ts'
import { t } from '../../../language/language.ts'

export type Values = readonly (number | null)[]
/** Lowest and highest of what each point stands for. */
export type Band = { min: Values; max: Values }
export type ChartLine = { label: string; values: Values; band: Band | null }
/** A chart of one subject, before anything is known of pixels. */
export type ChartModel = {
  id: string
  title: string
  unit: Unit
  /** Lines stand on each other. */
  isStacked: boolean
  lines: ChartLine[]
  /** The band of the sum, for lines that stand on each other. */
  sumBand: Band | null
  /** The end of the axis, where it has one by nature. */
  top: number | null
  /** Disks or interfaces to choose from, where there are several. */
  parts: string[]
  part: string | null
  note: string | null
}

/** Which disk and which interface is drawn; all together unless one was chosen. */
export type Chosen = { disk?: string | undefined; interface?: string | undefined }

/** More lines in one chart cannot be told apart. */
export const MAX_LINES = 6
const PERCENT = 100

/** The charts of a server: those of which anything is known. */
export function chartsOf(history: Pick<ServerHistory, 'series'>, chosen: Chosen = {}): ChartModel[] {
  const find = finderOf(history.series)
  return [
    cpuChart(find),
    plain('load', t('Load'), 'count', [
      ['1 min', find('load_1')],
      ['5 min', find('load_5')],
      ['15 min', find('load_15')],
    ]),
    usedChart('memory', t('Memory'), find('memory_total_bytes'), usedMemory(find)),
    usedChart('swap', t('Swap'), find('swap_total_bytes'), find('swap_used_bytes')),
    plain('pressure', t('Pressure'), 'percent', [
      ['CPU', find('pressure_cpu_percent')],
      [t('Memory'), find('pressure_memory_percent')],
      ['I/O', find('pressure_io_percent')],
    ]),
    partChart('disks', t('Disks'), history.series, chosen.disk, [
      [t('Read'), 'disk_read_bytes'],
      [t('Written'), 'disk_written_bytes'],
    ]),
    eachPart('busy', t('Disks busy'), history.series, 'disk_busy_percent'),
    partChart('network', t('Network'), history.series, chosen.interface, [
      [t('Received'), 'interface_received_bytes'],
      [t('Sent'), 'interface_sent_bytes'],
    ]),
    eachPart('file-systems', t('File systems'), history.series, 'file_system_used_percent'),
    plain('temperature', t('Temperature'), 'celsius', [[t('Hottest sensor'), find('temperature_celsius')]]),
  ].filter((model) => model !== null)
}

/**
 * The charts that were drawn before stay, without their lines' values, where nothing is known of the stretch: a key that
 * zoomed too far zooms back from the same place.
 */
export function withChartsBefore(before: readonly ChartModel[], now: readonly ChartModel[]): ChartModel[] {
  const known = new Map(now.map((model) => [model.id, model]))
  const drawn = new Set(before.map(({ id }) => id))
  return [
    ...before.map((model) => known.get(model.id) ?? emptied(model)),
    ...now.filter(({ id }) => !drawn.has(id)),
  ]
}

function emptied(model: ChartModel): ChartModel {
  return {
    ...model,
    lines: model.lines.map(({ label }) => ({ label, values: [], band: null })),
    sumBand: null,
  }
}

type Find = (name: SeriesName) => SeriesHistory | undefined

function finderOf(series: readonly SeriesHistory[]): Find {
  return (name) => series.find((one) => one.name === name && one.part === null && isKnown(one.values))
}

function isKnown(values: Values): boolean {
  return values.some((value) => value !== null)
}

const BASE = { isStacked: false, sumBand: null, top: null, parts: [], part: null, note: null }

function lineOf(
  label: string,
  { values, min, max }: Pick<SeriesHistory, 'values' | 'min' | 'max'>,
): ChartLine {
  return { label, values, band: min && max ? { min, max } : null }
}

function plain(
  id: string,
  title: string,
  unit: Unit,
  named: [label: string, series: SeriesHistory | undefined][],
): ChartModel | null {
  const lines = named.flatMap(([label, series]) => (series ? [lineOf(label, series)] : []))
  return lines.length === 0 ? null : { ...BASE, id, title, unit, lines }
}

function cpuChart(find: Find): ChartModel | null {
  const total = find('cpu_percent')
  const whole = { ...BASE, id: 'cpu', title: 'CPU', unit: 'percent' as const, top: PERCENT }
  const kinds = (
    [
      [t('User'), 'cpu_user_percent'],
      [t('System'), 'cpu_system_percent'],
      [t('I/O wait'), 'cpu_iowait_percent'],
      [t('Steal'), 'cpu_steal_percent'],
    ] as const
  ).flatMap(([label, name]) => {
    const series = find(name)
    return series ? [{ label, values: series.values, band: null }] : []
  })
  if (kinds.length > 0) {
    const sumBand = total?.min && total.max ? { min: total.min, max: total.max } : null
    return { ...whole, isStacked: true, lines: kinds, sumBand }
  }
  return total ? { ...whole, lines: [lineOf(t('Busy'), total)] } : null
}

type Used = Pick<SeriesHistory, 'values' | 'min' | 'max'>

/** Used memory is memory that programs can no longer get. */
function usedMemory(find: Find): Used | undefined {
  const [total, available] = [find('memory_total_bytes'), find('memory_available_bytes')]
  if (!total || !available) return undefined
  const less = (values: Values | null) =>
    values && total.values.map((whole, index) => minus(whole, values[index] ?? null))
  return { values: less(available.values) ?? [], min: less(available.max), max: less(available.min) }
}

function minus(whole: number | null, part: number | null): number | null {
  return whole === null || part === null ? null : Math.max(0, whole - part)
}

function usedChart(
  id: string,
  title: string,
  total: SeriesHistory | undefined,
  used: Used | undefined,
): ChartModel | null {
  const top = total ? largest(total.values) : 0
  // A machine without swap has none of 0 bytes.
  if (!used || top === 0) return null
  return {
    ...BASE,
    id,
    title,
    unit: 'bytes',
    isStacked: true,
    top,
    sumBand: bandOf(used),
    lines: [lineOf(t('Used'), used)],
  }
}

function bandOf({ min, max }: Used): Band | null {
  return min && max ? { min, max } : null
}

function largest(values: Values): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
}

function partsOf(series: readonly SeriesHistory[], name: SeriesName): string[] {
  return series.flatMap((one) =>
    one.name === name && one.part !== null && isKnown(one.values) ? [one.part] : [],
  )
}

/** Two directions of one disk or interface, or of all of them together. */
function partChart(
  id: string,
  title: string,
  series: readonly SeriesHistory[],
  chosen: string | undefined,
  named: [label: string, name: SeriesName][],
): ChartModel | null {
  const parts = [...new Set(named.flatMap(([, name]) => partsOf(series, name)))].sort()
  const part = chosen !== undefined && parts.includes(chosen) ? chosen : null
  const shown = part === null ? parts : [part]
  const lines = named.map(([label, name]) => {
    const all = series.filter((one) => one.name === name && one.part !== null && shown.includes(one.part))
    const [only] = all
    // The highest of each at another moment is not the highest of all.
    if (all.length === 1 && only) return lineOf(label, only)
    return { label, values: sumOf(all.map(({ values }) => values)), band: null }
  })
  if (parts.length === 0) return null
  return { ...BASE, id, title, unit: 'bytes_per_second', lines, parts: parts.length > 1 ? parts : [], part }
}

/** Null where nothing is known. */
export function sumOf(columns: readonly Values[]): (number | null)[] {
  const length = Math.max(0, ...columns.map((column) => column.length))
  return Array.from({ length }, (_, index) => {
    const known = columns.map((column) => column[index] ?? null).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
  })
}

/** A line for each part, the fullest first. */
function eachPart(
  id: string,
  title: string,
  series: readonly SeriesHistory[],
  name: SeriesName,
): ChartModel | null {
  const all = series
    .filter((one) => one.name === name && one.part !== null && isKnown(one.values))
    .sort((a, b) => latestOf(b.values) - latestOf(a.values))
  if (all.length === 0) return null
  const rest = all.length - MAX_LINES
  return {
    ...BASE,
    id,
    title,
    unit: 'percent',
    top: PERCENT,
    lines: all.slice(0, MAX_LINES).map((one) => lineOf(one.part ?? '', one)),
    note:
      rest > 0
        ? t('The {max, number} highest; {count, number} more in the table.', { max: MAX_LINES, count: rest })
        : null,
  }
}

function latestOf(values: Values): number {
  return values.findLast((value) => value !== null) ?? 0
}
