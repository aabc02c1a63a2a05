/** Days of a period in an address of the dashboard, by the reader's clocks. */
export type DaysSearch = { from?: string | undefined; to?: string | undefined }

/** The question that lists what an address names. Days become times. */
export function periodQueryOf<Search extends DaysSearch>({ from, to, ...same }: Search) {
  return {
    ...same,
    from: from && startOfLocalDay(from).toISOString(),
    to: to && startOfLocalDay(to, 1).toISOString(),
  }
}

/** Midnight of a day such as `2026-11-21`, or of one `later`, by the reader's clocks. */
function startOfLocalDay(day: string, later = 0): Date {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + later)
}
