import { BulkChange, BulkOutcome, MonitorRow } from '../core/monitors/monitor-row.ts'
import { Overview } from '../core/monitors/overview.ts'
import { one, page } from './envelope.ts'
import { MonitorRowQuery } from './monitor-row-query.ts'
import type { Operation } from './operation.ts'

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
