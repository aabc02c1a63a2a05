import * as z from 'zod'
import { MonitorType } from '../core/monitors/monitor.ts'
import { BulkChange, BulkOutcome, MonitorRow, MonitorSort } from '../core/monitors/monitor-row.ts'
import { Overview } from '../core/monitors/overview.ts'
import { LiveStatus } from '../core/monitors/status.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../core/pagination.ts'
import { text } from '../core/text.ts'
import { one, page } from './envelope.ts'
import type { Operation } from './operation.ts'
import { integerParameter } from './query.ts'

export const MonitorRowQuery = z.object({
  page: integerParameter(1).default(1),
  per_page: integerParameter(1, MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
  /** Part of the name or of the target, case-insensitive. */
  search: text(255).optional(),
  status: LiveStatus.optional(),
  type: MonitorType.optional(),
  sort: MonitorSort.default('attention'),
  order: z.enum(['asc', 'desc']).default('asc'),
})

export const overviewOperations = {
  getOverview: {
    internal: true,
    method: 'GET',
    path: '/overview',
    summary: 'Show the overview, problems first',
    access: 'read',
    status: 200,
    output: one(Overview),
    errors: [],
  },
  listMonitorRows: {
    internal: true,
    method: 'GET',
    path: '/monitor-rows',
    summary: 'List monitors with their recent uptime',
    access: 'read',
    query: MonitorRowQuery,
    status: 200,
    output: page(MonitorRow),
    errors: ['validationFailed'],
  },
  changeMonitors: {
    internal: true,
    method: 'POST',
    path: '/monitor-rows/change',
    summary: 'Pause, resume or delete many monitors, or attach or detach a contact',
    access: 'write',
    body: BulkChange,
    status: 200,
    output: one(BulkOutcome),
    errors: ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
  },
} as const satisfies Record<string, Operation>
