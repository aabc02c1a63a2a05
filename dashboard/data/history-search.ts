import { IncidentQuery } from '../../src/contract/monitors/incident-query.ts'
import { ReportQuery } from '../../src/contract/report-query.ts'
import type { ReportRange } from '../../src/core/history/report-range.ts'
import type { IncidentFilterState, IncidentKind } from '../../src/core/monitors/incidents/incident-kind.ts'
import { keptSearch } from './kept-search.ts'
import { readZoom } from './zoom.ts'

const CHART_LINES = ['before', 'regions'] as const
export type ChartLine = (typeof CHART_LINES)[number]

/** The filters in the address of a monitor's page. */
export type ReportSearch = {
  range?: ReportRange | undefined
  region?: string | undefined
  /** A part of the chart, in seconds since 1970: both or neither. It comes before the range. */
  from?: number | undefined
  to?: number | undefined
  /** A second line: the medians of weeks before, or one for each region. */
  line?: ChartLine | undefined
  /** Only the checks that failed. */
  failed?: true | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readReportSearch({
  range,
  region,
  from,
  to,
  line,
  failed,
}: Record<string, unknown>): ReportSearch {
  const kept: ReportSearch = { ...readZoom(from, to), line: CHART_LINES.find((one) => one === line) }
  const { shape } = ReportQuery
  if (range !== undefined && shape.range.safeParse(range).success) kept.range = range as ReportRange
  // The router reads a region called 1 as a number.
  if (region && shape.region.safeParse(String(region)).success) kept.region = String(region)
  if (failed === true) kept.failed = true
  return keptSearch(['range', 'region', 'from', 'to', 'line', 'failed'], kept)
}

const INCIDENT_NAMES = ['page', 'search', 'state', 'kind', 'monitor', 'server', 'site', 'from', 'to'] as const
const NUMBERS: readonly string[] = ['page', 'monitor', 'server', 'site']

/** The filters in the address of the list of incidents. */
export type IncidentSearch = {
  page?: number | undefined
  search?: string | undefined
  state?: IncidentFilterState | undefined
  kind?: IncidentKind | undefined
  /** The one subject whose incidents are listed. */
  monitor?: number | undefined
  server?: number | undefined
  site?: number | undefined
  /** The first and the last day, in the reader's time zone: `2026-11-21`. */
  from?: string | undefined
  to?: string | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readIncidentSearch(given: Record<string, unknown>): IncidentSearch {
  const kept: Record<string, unknown> = {}
  for (const name of INCIDENT_NAMES) {
    // The router reads a search for 1 as a number.
    const value = String(given[name] ?? '')
    if (value === '') continue
    const isDay = name === 'from' || name === 'to'
    if (isDay ? startOfLocalDay(value) !== null : IncidentQuery.shape[name].safeParse(value).success)
      kept[name] = NUMBERS.includes(name) ? Number(value) : value
  }
  return keptSearch<IncidentSearch>(INCIDENT_NAMES, kept)
}

/** The question that lists what an address names. Days become times. */
export function incidentQueryOf({ from, to, ...same }: IncidentSearch) {
  return {
    ...same,
    from: from && startOfLocalDay(from)?.toISOString(),
    to: to && startOfLocalDay(to, 1)?.toISOString(),
  }
}

/** Midnight of a day such as `2026-11-21`, or of one `later`; null where the text names none. */
function startOfLocalDay(day: string, later = 0): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  const at = new Date(Number(year), Number(month) - 1, Number(date))
  // The 31st of a shorter month would be a day of the next one.
  if (at.getMonth() !== Number(month) - 1 || at.getDate() !== Number(date)) return null
  at.setDate(at.getDate() + later)
  return at
}
