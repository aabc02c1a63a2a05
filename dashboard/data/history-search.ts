import { ReportQuery } from '../../src/contract/report-query.ts'
import type { ReportRange } from '../../src/core/history/report-range.ts'
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
