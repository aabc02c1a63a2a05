import { type RawBuilder, sql } from 'kysely'

/** The expression that the index of `checks` is ordered by, before the monitor; see migration 048. */
export const QUARTER_OF_AN_HOUR = quarterOf('checked_at')

export function quarterOf(at: string): string {
  return `date_bin('15 minutes', ${at}, '2000-01-01 00:00:00+00'::timestamptz)`
}

/** The days that have a partition of `checks`: few, while history has no beginning and queries may have no end. */
const DAYS_OF_ROWS = `SELECT right(c.relname, 8)::timestamp AT TIME ZONE 'UTC' AS day
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'checks'::regclass`

const [BEFORE_FROM, BEFORE_TO, AFTER_TO] = [
  `${QUARTER_OF_AN_HOUR} = ANY(ARRAY(SELECT generate_series(date_bin('15 minutes', greatest(`,
  `, days.day), '2000-01-01 00:00:00+00'::timestamptz), least(`,
  `, days.day + interval '23:45'), '15 minutes') FROM (${DAYS_OF_ROWS}) AS days))`,
] as const

/**
 * SQL that is true of checks in the quarters of an hour from that of one time to that of another, for the index: it is
 * searched once for each quarter of each day of rows. Beside it, compare `checked_at`, which leaves out partitions.
 */
export function inQuarters(from: string, to: string): string {
  return BEFORE_FROM + from + BEFORE_TO + to + AFTER_TO
}

/** The same for built statements; null: without a beginning, or an end. */
export function builtInQuarters(from: Date | null, to: Date | null): RawBuilder<boolean> {
  const [begin, middle, end] = [BEFORE_FROM, BEFORE_TO, AFTER_TO].map((text) => sql.raw(text))
  return sql`${begin}${from ?? sql`'-infinity'`}::timestamptz${middle}${to ?? sql`'infinity'`}::timestamptz${end}`
}

/** SQL that is true of checks in the quarters of a whole day, an ISO time. */
export function inQuartersOfDay(day: string): string {
  return `${QUARTER_OF_AN_HOUR} = ANY(ARRAY(
    SELECT generate_series('${day}'::timestamptz, '${day}'::timestamptz + interval '23:45', '15 minutes')))`
}

/** SQL that gives the quarters of an hour from that of one time to that of another: few, as of a check and its interval. */
export function quartersBetween(from: string, to: string): string {
  return `ARRAY(SELECT generate_series(${quarterOf(from)}, ${to}, '15 minutes'))`
}

/** SQL that gives the start of the oldest day of rows; null without any. */
export const OLDEST_DAY_OF_ROWS = `SELECT min(days.day) AS day FROM (${DAYS_OF_ROWS}) AS days`
