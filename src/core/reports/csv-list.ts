/** Lists of the dashboard that can be saved as a file. */
export const CSV_LISTS = [
  'monitors',
  'servers',
  'sites',
  'incidents',
  'server-incidents',
  'site-incidents',
  'deliveries',
  'checks',
  'expiries',
  'maintenance',
  'audit-log',
  'report',
] as const
export type CsvList = (typeof CSV_LISTS)[number]

/** Rows of one file; a line behind them says that there are more. */
export const MAX_CSV_ROWS = 50_000

export function isCsvList(name: string): name is CsvList {
  return (CSV_LISTS as readonly string[]).includes(name)
}
