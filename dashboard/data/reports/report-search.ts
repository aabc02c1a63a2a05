import { StatementQuery } from '../../../src/contract/reports/statement-query.ts'
import { ofEachField, SUBJECT_KINDS, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { type DayRange, daysOfMonth, monthAfter, monthOf } from '../../../src/core/reports/calendar-days.ts'
import type { ReportSubjects, SavedReport } from '../../../src/core/reports/report.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { keptSearch } from '../kept-search.ts'
import { localDateOf, readerZone } from '../zone-time.ts'

const LISTED = SUBJECT_KINDS.map((kind) => `${kind}s` as const)
const NAMES = ['from', 'to', 'zone', ...LISTED, 'tags'] as const
const MAX_ID = 2_147_483_647

/** The address of a report: a range of days in a zone, and ids of chosen subjects or their tags; else it is about everything. */
export type TeamReportSearch = { [Kind in `${SubjectKind}s`]?: string | undefined } & {
  from?: string | undefined
  to?: string | undefined
  zone?: string | undefined
  /** Before ids. */
  tags?: string | undefined
  /** A saved one: its zone and its subjects, whatever else stands there. */
  report?: number | undefined
}

/** The address with what is set alone; of a saved report only its days, because it says itself what it is about. */
export function reportAddress({ report, from, to, ...about }: TeamReportSearch): TeamReportSearch {
  const kept = report === undefined ? { from, to, ...about } : { report, from, to }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readTeamReportSearch(given: Record<string, unknown>): TeamReportSearch {
  const kept: TeamReportSearch = {}
  for (const name of NAMES) {
    const value = given[name]
    if (value === undefined || value === '') continue
    if (StatementQuery.shape[name].safeParse(String(value)).success) kept[name] = String(value)
  }
  const id = Number(given.report)
  if (Number.isInteger(id) && id >= 1 && id <= MAX_ID) kept.report = id
  return keptSearch<TeamReportSearch>([...NAMES, 'report'], kept)
}

/** The zone and the subjects of a saved report, as an address has them. */
export function searchOf(saved: SavedReport): Omit<TeamReportSearch, 'from' | 'to'> {
  const ids = (chosen: readonly number[]) =>
    saved.all_subjects || chosen.length === 0 ? undefined : chosen.join(',')
  return {
    report: saved.id,
    zone: saved.time_zone,
    ...ofEachField('s', (kind) => ids(saved[`${kind}_ids`])),
    tags: saved.tags.length === 0 ? undefined : saved.tags.join(','),
  }
}

/** The subjects of an address, as a report has them. */
export function subjectsOf({ tags, ...search }: TeamReportSearch): ReportSubjects {
  const ids = (text: string | undefined) => (text && !tags ? text.split(',').map(Number) : [])
  return {
    all_subjects: !(tags || LISTED.some((name) => search[name])),
    ...ofEachField('_ids', (kind) => ids(search[`${kind}s`])),
    tags: tags ? splitTags(tags) : [],
  }
}

/** The query of an address: last month, by the reader's clocks, unless it says otherwise. */
export function statementQuery(search: TeamReportSearch) {
  const zone = search.zone ?? readerZone()
  const { from, to } = search
  const range = from && to && from <= to ? { from, to } : lastMonth(zone)
  const { tags } = search
  return { ...range, zone, ...(tags ? { tags } : ofEachField('s', (kind) => search[`${kind}s`])) }
}

export function lastMonth(zone: string): DayRange {
  return daysOfMonth(monthAfter(monthOf(localDateOf(new Date(), zone)), -1))
}

/** From the first of the month up to today. */
export function monthSoFar(zone: string): DayRange {
  const today = localDateOf(new Date(), zone)
  return { from: `${monthOf(today)}-01`, to: today }
}
