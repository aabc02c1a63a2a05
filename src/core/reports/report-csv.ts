import { type CsvValue, csvLine } from './csv.ts'
import type { ReportLine, TeamReport } from './report.ts'

/** A line with the period that it is about. */
export type PeriodLine = ReportLine & { from: string; to: string; zone: string }

/** A share of time in percent, as exact as it is known. */
export function percentOrNull(share: number | null): number | null {
  return share === null ? null : share * 100
}

/** The columns of a report as a file. */
export const REPORT_CELLS: Record<string, (line: PeriodLine) => CsvValue> = {
  from: ({ from }) => from,
  to: ({ to }) => to,
  time_zone: ({ zone }) => zone,
  kind: ({ kind }) => kind,
  id: ({ id }) => id,
  name: ({ name }) => name,
  uptime_percent: ({ uptime }) => percentOrNull(uptime),
  down_seconds: ({ down_seconds }) => down_seconds,
  maintenance_seconds: ({ maintenance_seconds }) => maintenance_seconds,
  unknown_seconds: ({ unknown_seconds }) => unknown_seconds,
  incidents: ({ incidents }) => incidents,
  incident_seconds: ({ incident_seconds }) => incident_seconds,
  longest_seconds: ({ longest_seconds }) => longest_seconds,
  notice_seconds: ({ notice_seconds }) => notice_seconds,
  recover_seconds: ({ recover_seconds }) => recover_seconds,
  p50_ms: ({ p50_ms }) => p50_ms,
  p95_ms: ({ p95_ms }) => p95_ms,
  p99_ms: ({ p99_ms }) => p99_ms,
}

export function periodLines({ lines, from, to, time_zone: zone }: TeamReport): PeriodLine[] {
  return lines.map((line) => ({ ...line, from, to, zone }))
}

/** A report as a file for spreadsheets. */
export function reportCsv(report: TeamReport): string {
  const cells = Object.values(REPORT_CELLS)
  const lines = periodLines(report).map((line) => csvLine(cells.map((cell) => cell(line))))
  return [csvLine(Object.keys(REPORT_CELLS)), ...lines].join('')
}
