import { ofEachKind, SUBJECT_KINDS, type SubjectKind } from '../../src/core/maintenance/subject-kind.ts'
import { RecordId } from '../../src/core/record-id.ts'
import { keptSearch } from './kept-search.ts'

/** The view in the address of the maintenance screen: a list, unless it is a calendar. */
export type MaintenanceSearch = {
  view?: 'calendar' | undefined
  /** The month of the calendar: `2027-03`. */
  month?: string | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readMaintenanceSearch({ view, month }: Record<string, unknown>): MaintenanceSearch {
  const kept: MaintenanceSearch = {}
  if (view === 'calendar') kept.view = view
  if (kept.view && /^20\d{2}-(0[1-9]|1[0-2])$/.test(String(month))) kept.month = String(month)
  return keptSearch(['view', 'month'], kept)
}

/** The subject that a new window begins with. */
export type NewWindowSearch = { [kind in SubjectKind]?: number | undefined }

export function readNewWindowSearch(search: Record<string, unknown>): NewWindowSearch {
  return keptSearch(
    SUBJECT_KINDS,
    ofEachKind((kind) => RecordId.safeParse(search[kind]).data),
  )
}
