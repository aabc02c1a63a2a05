import { keptSearch } from '../kept-search.ts'

/** The month in the address of a schedule: `2027-03`; the present one if there is none. */
export type ScheduleSearch = { month?: string | undefined }

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readScheduleSearch({ month }: Record<string, unknown>): ScheduleSearch {
  return keptSearch(
    ['month'],
    /^20\d{2}-(0[1-9]|1[0-2])$/.test(String(month)) ? { month: String(month) } : {},
  )
}
