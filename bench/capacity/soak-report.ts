import { median, percentile } from '../support/statistics.ts'
import { renderCells } from '../support/table.ts'

/** One minute of a soak; null or empty what could not be read. */
export type Minute = {
  ownBytes: number | null
  databaseBytes: number | null
  /** The share of one core, service and database together. */
  cpuPercent: number | null
  /** How long after its tick each check began. */
  latesMs: number[]
  /** How long GET /monitors took, each time. */
  answersMs: number[]
  failedAnswers: number
}

export type SoakCounts = {
  due: number
  ran: number
  missed: number
  doubled: number
  notUp: number
  incidents: number
  deliveries: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

const MINUTES_PER_ROW = 5
const MIB = 2 ** 20
const HEADINGS = [
  'Minutes',
  'Memory (PSS), service + database',
  'Service',
  'CPU of a core',
  'Checks',
  'Late p50',
  'Late p99',
  'Late max',
  'GET /monitors p50',
  'p99',
  'Failed',
]

/** Five minutes a row: medians of memory and CPU, percentiles over all checks and answers. */
export function renderMinutes(minutes: Minute[]): string {
  const lines = [HEADINGS]
  for (let first = 0; first < minutes.length; first += MINUTES_PER_ROW) {
    const some = minutes.slice(first, first + MINUTES_PER_ROW)
    const lates = some.flatMap(({ latesMs }) => latesMs)
    const answers = some.flatMap(({ answersMs }) => answersMs)
    const total = some.map(({ ownBytes, databaseBytes }) =>
      ownBytes === null || databaseBytes === null ? null : ownBytes + databaseBytes,
    )
    lines.push([
      `${first + 1}–${first + some.length}`,
      middle(total, MIB, 0, 'MiB'),
      middle(
        some.map(({ ownBytes }) => ownBytes),
        MIB,
        0,
        'MiB',
      ),
      middle(
        some.map(({ cpuPercent }) => cpuPercent),
        1,
        1,
        '%',
      ),
      lates.length.toLocaleString('en-US'),
      ...[0.5, 0.99, 1].map((p) => part(lates, p, 0)),
      ...[0.5, 0.99].map((p) => part(answers, p, 1)),
      String(some.reduce((sum, { failedAnswers }) => sum + failedAnswers, 0)),
    ])
  }
  return renderCells(lines)
}

/** Everything that was due from the first minute to the last. */
export function renderCounts(counts: SoakCounts): string {
  const lines: [string, string | number][] = [
    ['Checks due', counts.due],
    ['Checks that ran for them', counts.ran],
    ['Missed', counts.missed],
    ['Doubled', counts.doubled],
    ['Found anything but `up` (false alarms)', counts.notUp],
    ['Incidents opened', counts.incidents],
    ['Alerts sent', counts.deliveries],
    ['Late, p50 / p99 / max', `${counts.p50Ms} / ${counts.p99Ms} / ${counts.maxMs} ms`],
  ]
  const texts = lines.map(([name, value]) => [name, value.toLocaleString('en-US')])
  return renderCells([['Counted in the database', 'All minutes'], ...texts])
}

function middle(values: (number | null)[], divisor: number, digits: number, unit: string): string {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? '?' : `${(median(known) / divisor).toFixed(digits)} ${unit}`
}

function part(values: number[], p: number, digits: number): string {
  return values.length === 0 ? '?' : `${percentile(values, p).toFixed(digits)} ms`
}
