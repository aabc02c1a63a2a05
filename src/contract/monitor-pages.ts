import * as z from 'zod'
import { CheckStatus } from '../core/check.ts'
import { Instant } from '../core/instant.ts'
import { Monitor } from '../core/monitor.ts'
import { CheckDetail, DeletedMonitor, MonitorReport, ReportRange } from '../core/monitor-report.ts'
import { text } from '../core/text.ts'
import { many, one } from './envelope.ts'
import type { Operation } from './operation.ts'

const PATH = '/monitors/{monitor}'
export const CHECKS_PER_PAGE = 50
export const MAX_DELETED_SHOWN = 200

export const ReportQuery = z.object({ range: ReportRange.default('24h'), region: text(16).optional() })
export const CheckDetailQuery = z.object({
  /** Only checks before this instant: the last one of the page before. */
  before: Instant.optional(),
  status: CheckStatus.optional(),
})

export const monitorPageOperations = {
  getMonitorReport: {
    internal: true,
    method: 'GET',
    path: `${PATH}/report`,
    summary: 'Show how a monitor did in a range of time',
    access: 'read',
    query: ReportQuery,
    status: 200,
    output: one(MonitorReport),
    errors: ['notFound', 'validationFailed'],
  },
  listCheckDetails: {
    internal: true,
    method: 'GET',
    path: `${PATH}/check-details`,
    summary: `List ${CHECKS_PER_PAGE} checks with their phases, newest first`,
    access: 'read',
    query: CheckDetailQuery,
    status: 200,
    output: many(CheckDetail),
    errors: ['notFound', 'validationFailed'],
  },
  checkMonitorNow: {
    internal: true,
    method: 'POST',
    path: `${PATH}/check-now`,
    summary: 'Have a monitor checked at once',
    access: 'write',
    status: 200,
    /** A check that is newer than this is the one that was asked for. */
    output: one(z.object({ requested_at: Instant })),
    errors: ['notFound', 'validationFailed'],
  },
  listDeletedMonitors: {
    internal: true,
    method: 'GET',
    path: '/deleted-monitors',
    summary: `List the ${MAX_DELETED_SHOWN} monitors deleted last`,
    access: 'read',
    status: 200,
    output: many(DeletedMonitor),
    errors: [],
  },
  restoreMonitor: {
    internal: true,
    method: 'POST',
    path: '/deleted-monitors/{deletedMonitor}/restore',
    summary: 'Bring a deleted monitor back, with its history',
    access: 'write',
    status: 200,
    output: one(Monitor),
    errors: ['monitorLimitReached', 'notFound'],
  },
} as const satisfies Record<string, Operation>
