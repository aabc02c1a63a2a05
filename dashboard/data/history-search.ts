import { IncidentQuery } from '../../src/contract/incidents.ts'
import { ReportQuery } from '../../src/contract/report-query.ts'
import type { ReportRange } from '../../src/core/history/report-range.ts'
import type { IncidentState } from '../../src/core/monitors/incident-story.ts'
import { keptSearch } from './kept-search.ts'

/** The filters in the address of a monitor's page. */
export type ReportSearch = {
  range?: ReportRange | undefined
  region?: string | undefined
  /** Only the checks that failed. */
  failed?: true | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readReportSearch({ range, region, failed }: Record<string, unknown>): ReportSearch {
  const kept: ReportSearch = {}
  const { shape } = ReportQuery
  if (range !== undefined && shape.range.safeParse(range).success) kept.range = range as ReportRange
  // The router reads a region called 1 as a number.
  if (region && shape.region.safeParse(String(region)).success) kept.region = String(region)
  if (failed === true) kept.failed = true
  return keptSearch(['range', 'region', 'failed'], kept)
}

/** The filters in the address of the incident list. */
export type IncidentSearch = { page?: number | undefined; state?: IncidentState | undefined }

export function readIncidentSearch({ page, state }: Record<string, unknown>): IncidentSearch {
  const kept: IncidentSearch = {}
  const { shape } = IncidentQuery
  if (page !== undefined && shape.page.safeParse(String(page)).success) kept.page = Number(page)
  if (state && shape.state.safeParse(state).success) kept.state = state as IncidentState
  return keptSearch(['page', 'state'], kept)
}
