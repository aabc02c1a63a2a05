/** The published posts of a page by id, and when each began. */
export type PostTimes = ReadonlyMap<number, Date>

/** Whether a month of UTC (`2026-11`) has a page: from the first post or the page itself, whichever is older, on. */
export function hasMonth(
  times: PostTimes,
  month: string,
  { createdAt, asOf }: { createdAt: Date; asOf: Date },
): boolean {
  return month >= firstMonth(times, createdAt) && month <= monthOf(asOf)
}

/** All months that have a page, the first first. */
export function monthsOf(times: PostTimes, { createdAt, asOf }: { createdAt: Date; asOf: Date }): string[] {
  const months: string[] = []
  for (let month = firstMonth(times, createdAt); month <= monthOf(asOf); month = monthAfter(month))
    months.push(month)
  return months
}

/** The months that are asked for most: this one and the one before, of those that have a page. */
export function latestMonths(times: PostTimes, page: { createdAt: Date; asOf: Date }): string[] {
  const start = startOfMonth(monthOf(page.asOf))
  const before = monthOf(new Date(start.getTime() - 1))
  return [monthOf(start), before].filter((month) => hasMonth(times, month, page))
}

export function postsOfMonth(times: PostTimes, month: string): number[] {
  return [...times].filter(([, startedAt]) => monthOf(startedAt) === month).map(([id]) => id)
}

export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`)
}

function firstMonth(times: PostTimes, createdAt: Date): string {
  return monthOf([...times.values()].reduce((one, other) => (one < other ? one : other), createdAt))
}

function monthAfter(month: string): string {
  const start = startOfMonth(month)
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)))
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}
