import type * as z from 'zod'
import type { Contract, OperationId } from '../../contract/contract.ts'
import { ENGLISH } from '../../core/language/translate.ts'
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
      id: ({ id }) => id,
      name: ({ name }) => name,
      type: ({ type }) => type,
      target: ({ target }) => target,
      is_active: ({ is_active }) => is_active,
      status: ({ status }) => status,
      status_since: ({ status_since }) => status_since,
      cause: ({ cause }) => cause,
      interval_seconds: ({ interval_seconds }) => interval_seconds,
      last_checked_at: ({ last_checked_at }) => last_checked_at,
      uptime_30d_percent: ({ uptime_30d }) => percentOrNull(uptime_30d),
      p50_ms: ({ p50_ms }) => p50_ms,
      p95_ms: ({ p95_ms }) => p95_ms,
      tags: ({ tags }) => tags.join(', '),
    },
  }),
  servers: source('listServers', {
    ...PAGES,
    fixed: () => ({ sort: 'name', order: 'asc' }),
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      host_name: ({ host_name }) => host_name,
      is_active: ({ is_active }) => is_active,
      status: ({ status }) => status,
      status_since: ({ status_since }) => status_since,
      causes: ({ causes }) => causes.join('; '),
      last_report_at: ({ last_report_at }) => last_report_at,
      cpu_percent: ({ cpu_percent }) => cpu_percent,
      memory_used_percent: ({ memory_used_percent }) => memory_used_percent,
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
      id: ({ id }) => id,
      name: ({ name }) => name,
      url: ({ url }) => url,
      is_active: ({ is_active }) => is_active,
      status: ({ status }) => status,
      status_since: ({ status_since }) => status_since,
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
      kind: ({ kind }) => kind,
      id: ({ id }) => id,
      subject_id: ({ subject_id }) => subject_id,
      subject: ({ subject_name }) => subject_name,
      about: ({ about }) => about,
      warns_only: ({ warns_only }) => warns_only,
      started_at: ({ started_at }) => started_at,
      resolved_at: ({ resolved_at }) => resolved_at,
      duration_seconds: ({ duration_seconds }) => duration_seconds,
      cause: ({ cause }) => cause,
    },
  }),
  'server-incidents': source('listServerIncidents', {
    ...WHOLE,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      id: ({ id }) => id,
      server_id: ({ server_id }) => server_id,
      server: ({ server_name }) => server_name,
      condition: ({ condition }) => condition,
      warns_only: ({ warns_only }) => warns_only,
      started_at: ({ started_at }) => started_at,
      resolved_at: ({ resolved_at }) => resolved_at,
      cause: ({ cause }) => cause,
    },
  }),
  'site-incidents': source('listSiteIncidents', {
    ...WHOLE,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      id: ({ id }) => id,
      site_id: ({ site_id }) => site_id,
      site: ({ site_name }) => site_name,
      area: ({ area }) => area,
      started_at: ({ started_at }) => started_at,
      resolved_at: ({ resolved_at }) => resolved_at,
      cause: ({ cause }) => cause,
    },
  }),
  deliveries: source('listDeliveries', {
    ...PAGES,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      id: ({ id }) => id,
      created_at: ({ created_at }) => created_at,
      event: ({ event }) => event,
      origin: ({ origin }) => origin && sayOrigin(origin, ENGLISH.t),
      subject: ({ monitor_name, server_name, site_name }) => monitor_name ?? server_name ?? site_name,
      contact: ({ contact_name }) => contact_name,
      contact_type: ({ contact_type }) => contact_type,
      state: ({ state }) => state,
      finished_at: ({ finished_at }) => finished_at,
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
      checked_at: ({ checked_at }) => checked_at,
      status: ({ status }) => status,
      response_time_ms: ({ response_time_ms }) => response_time_ms,
      http_status_code: ({ http_status_code }) => http_status_code,
      region: ({ region }) => region,
      error_message: ({ error_message }) => error_message,
      note: ({ note }) => note,
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
      at: ({ at }) => at,
      of: ({ of }) => of,
      subject: ({ subject }) => subject,
      subject_id: ({ subject_id }) => subject_id,
      name: ({ name }) => name,
    },
  }),
  maintenance: source('listMaintenanceWindows', {
    ...WHOLE,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
      plan: ({ sentence }) => sentence,
      time_zone: ({ time_zone }) => time_zone,
      covers_everything: ({ all_subjects }) => all_subjects,
      monitors: ({ monitor_count }) => monitor_count,
      servers: ({ server_count }) => server_count,
      sites: ({ site_count }) => site_count,
      is_running: ({ current }) => current !== null,
      note: ({ note }) => note,
    },
  }),
  'audit-log': source('listAuditEntries', {
    ...PAGES,
    rows: ({ data }) => data,
    key: ({ id }) => id,
    cells: {
      id: ({ id }) => id,
      at: ({ at }) => at,
      actor: ({ actor }) => actor,
      door: ({ door }) => door,
      action: ({ action }) => action,
      subject: ({ subject }) => subject,
      subject_id: ({ subject_id }) => subject_id,
      fields: ({ fields }) => fields.join(' '),
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
