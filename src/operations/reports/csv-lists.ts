import type * as z from 'zod'
import type { Contract, OperationId } from '../../contract/contract.ts'
import { ENGLISH } from '../../core/language/translate.ts'
import { ofEachField, SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { sayOrigin } from '../../core/on-call/response-words.ts'
import type { CsvValue } from '../../core/reports/csv.ts'
import type { CsvList } from '../../core/reports/csv-list.ts'
import { MAX_REPORT_SUBJECTS } from '../../core/reports/report.ts'
import { percentOrNull, periodLines, REPORT_CELLS } from '../../core/reports/report-csv.ts'

type Query = Record<string, string>
type OutputOf<Id extends OperationId> = Contract[Id] extends { output: infer O extends z.ZodType }
  ? z.output<O>
  : never

/** A list as a file: the operation that reads it, a column for each name, and how it goes on after a page. */
export type CsvSource = {
  operation: OperationId
  /** The record that the path of the operation names, given in the query. */
  record?: string
  /** Set where the query does not. */
  query?: Query
  /** Takes the place of what the query has: files have an order that stays while they are read. */
  fixed?: (query: Query) => Query
  paging: 'whole' | 'pages' | 'before'
  columns: readonly string[]
  rows: (answer: never) => Iterable<{ key: string | number; cells: readonly CsvValue[] }>
}

type Cells<Row> = Record<string, (row: Row) => CsvValue>

/** `rows` finds the rows in an answer, `key` tells one from the others. */
function source<Id extends OperationId, Row>(
  operation: Id,
  of: {
    rows: (answer: OutputOf<Id>) => readonly Row[]
    key: (row: Row) => string | number
    cells: Cells<Row>
  } & Pick<CsvSource, 'paging' | 'record' | 'query' | 'fixed'>,
): CsvSource {
  const { rows, key, cells, ...rest } = of
  const read = Object.values(cells)
  return {
    operation,
    ...rest,
    columns: Object.keys(cells),
    rows: (answer) => rows(answer).map((row) => ({ key: key(row), cells: read.map((cell) => cell(row)) })),
  }
}

/** Columns with the names and the values that the rows have. */
function own<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, (row: Record<Name, CsvValue>) => row[name]]))
}

const PAGES = { paging: 'pages', query: { per_page: '100' } } as const
const WHOLE = { paging: 'whole' } as const

export const CSV_SOURCES: Record<CsvList, CsvSource> = {
  monitors: source('listMonitorRows', {
    ...PAGES,
    // The order is fixed: by urgency or the last check a row would move from page to page while the file is read.
    fixed: ({ sort, order = 'asc' }) =>
      sort === 'created_at' ? { sort, order } : { sort: 'name', order: 'asc' },
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own(
        'id',
        'name',
        'type',
        'target',
        'is_active',
        'status',
        'status_since',
        'cause',
        'interval_seconds',
        'last_checked_at',
      ),
      uptime_30d_percent: ({ uptime_30d }) => percentOrNull(uptime_30d),
      ...own('p50_ms', 'p95_ms'),
      tags: ({ tags }) => tags.join(', '),
    },
  }),
  servers: source('listServers', {
    ...PAGES,
    fixed: () => ({ sort: 'name', order: 'asc' }),
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'name', 'host_name', 'is_active', 'status', 'status_since'),
      causes: ({ causes }) => causes.join('; '),
      ...own('last_report_at', 'cpu_percent', 'memory_used_percent'),
      fullest_disk: ({ fullest }) => fullest?.mount ?? null,
      fullest_disk_percent: ({ fullest }) => fullest?.used_percent ?? null,
      load_per_cpu: ({ load_per_cpu }) => load_per_cpu,
      tags: ({ tags }) => tags.join(', '),
    },
  }),
  sites: source('listSites', {
    ...PAGES,
    fixed: () => ({ sort: 'name', order: 'asc' }),
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'name', 'url', 'is_active', 'status', 'status_since'),
      causes: ({ areas }) =>
        areas
          .filter(({ is_on, status, cause }) => is_on && cause && status !== 'up')
          .map(({ area, cause }) => `${area}: ${cause}`)
          .join('; '),
      broken_links: ({ broken_links }) => broken_links,
      tags: ({ tags }) => tags.join(', '),
    },
  }),
  incidents: source('listIncidentRows', {
    ...PAGES,
    rows: ({ data }) => data,
    key: ({ kind, id }) => `${kind} ${id}`,
    cells: {
      ...own('kind', 'id', 'subject_id'),
      subject: ({ subject_name }) => subject_name,
      ...own('about', 'warns_only', 'started_at', 'resolved_at', 'duration_seconds', 'cause'),
    },
  }),
  'server-incidents': source('listServerIncidents', {
    ...WHOLE,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'server_id'),
      server: ({ server_name }) => server_name,
      ...own('condition', 'warns_only', 'started_at', 'resolved_at', 'cause'),
    },
  }),
  'site-incidents': source('listSiteIncidents', {
    ...WHOLE,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'site_id'),
      site: ({ site_name }) => site_name,
      ...own('area', 'started_at', 'resolved_at', 'cause'),
    },
  }),
  deliveries: source('listDeliveries', {
    ...PAGES,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'created_at', 'event'),
      origin: ({ origin }) => origin && sayOrigin(origin, ENGLISH.t),
      subject: (row) =>
        SUBJECT_KINDS.map((kind) => row[`${kind}_name`]).find((name) => name !== null) ?? null,
      contact: ({ contact_name }) => contact_name,
      ...own('contact_type', 'state', 'finished_at'),
      attempts: ({ attempts }) => attempts.length,
      last_answer: ({ attempts }) => attempts.at(-1)?.detail ?? null,
    },
  }),
  checks: source('listCheckDetails', {
    paging: 'before',
    record: 'monitor',
    rows: ({ data }) => data,
    key: ({ checked_at, region }) => `${checked_at} ${region}`,
    cells: {
      ...own(
        'checked_at',
        'status',
        'response_time_ms',
        'http_status_code',
        'region',
        'error_message',
        'note',
      ),
      dns_ms: ({ phases }) => phases?.dns_ms ?? null,
      connect_ms: ({ phases }) => phases?.connect_ms ?? null,
      tls_ms: ({ phases }) => phases?.tls_ms ?? null,
      first_byte_ms: ({ phases }) => phases?.first_byte_ms ?? null,
      transfer_ms: ({ phases }) => phases?.transfer_ms ?? null,
    },
  }),
  expiries: source('listExpiries', {
    ...PAGES,
    rows: ({ data }) => data,
    key: ({ of, subject, subject_id }) => `${of} ${subject} ${subject_id}`,
    cells: {
      ...own('at', 'of', 'subject', 'subject_id', 'name'),
    },
  }),
  maintenance: source('listMaintenanceWindows', {
    ...WHOLE,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'name', 'kind'),
      plan: ({ sentence }) => sentence,
      time_zone: ({ time_zone }) => time_zone,
      covers_everything: ({ all_subjects }) => all_subjects,
      ...ofEachField('s', (kind) => (row: Record<`${SubjectKind}_count`, number>) => row[`${kind}_count`]),
      is_running: ({ current }) => current !== null,
      note: ({ note }) => note,
    },
  }),
  'audit-log': source('listAuditEntries', {
    ...PAGES,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      ...own('id', 'at', 'actor', 'door', 'action', 'subject', 'subject_id'),
      fields: ({ fields }) => fields.join(' '),
      changes: ({ changes }) =>
        changes.map(({ field, before, after }) => `${field}: ${before ?? ''} → ${after ?? ''}`).join('; '),
    },
  }),
  report: source('getTeamReport', {
    ...WHOLE,
    fixed: () => ({ lines: String(MAX_REPORT_SUBJECTS) }),
    rows: ({ data }) => periodLines(data),
    key: ({ kind, id }) => `${kind} ${id}`,
    cells: REPORT_CELLS,
  }),
}
