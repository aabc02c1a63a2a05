import { StatementQuery } from '../../../src/contract/reports/statement-query.ts'
import { type DayRange, daysOfMonth, monthAfter, monthOf } from '../../../src/core/reports/calendar-days.ts'
import { keptSearch } from '../kept-search.ts'
import { localDateOf, readerZone } from '../zone-time.ts'

const NAMES = ['from', 'to', 'zone', 'monitors', 'servers', 'sites'] as const

/** The address of a report: a range of days in a zone, and ids of chosen subjects. Without ids it is about everything. */
export type TeamReportSearch = {
  from?: string | undefined
  to?: string | undefined
  zone?: string | undefined
  monitors?: string | undefined
  servers?: string | undefined
  sites?: string | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readTeamReportSearch(given: Record<string, unknown>): TeamReportSearch {
  const kept: TeamReportSearch = {}
  for (const name of NAMES) {
    const value = given[name]
    if (value === undefined || value === '') continue
    if (StatementQuery.shape[name].safeParse(String(value)).success) kept[name] = String(value)
  }
  return keptSearch<TeamReportSearch>(NAMES, kept)
}

/** The query of an address: last month, by the reader's clocks, unless it says otherwise. */
export function statementQuery(search: TeamReportSearch) {
  const zone = search.zone ?? readerZone()
  const { from, to } = search
  const range = from && to && from <= to ? { from, to } : lastMonth(zone)
  const { monitors, servers, sites } = search
  return { ...range, zone, monitors, servers, sites }
}

export function lastMonth(zone: string): DayRange {
  return daysOfMonth(monthAfter(monthOf(localDateOf(new Date(), zone)), -1))
}

/** From the first of the month up to today. */
export function monthSoFar(zone: string): DayRange {
  const today = localDateOf(new Date(), zone)
  return { from: `${monthOf(today)}-01`, to: today }
}
