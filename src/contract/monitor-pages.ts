import * as z from 'zod'
import { CheckDetail, DeletedMonitor, MonitorReport } from '../core/history/monitor-report.ts'
import { Instant } from '../core/instant.ts'
import { instantParameter, integerParameter } from '../core/lists/parameter.ts'
import { CheckStatus } from '../core/monitors/check.ts'
import { SwitchBody } from '../core/monitors/heartbeats/manual-state.ts'
import { Monitor } from '../core/monitors/monitor.ts'
import { MonitorNotes } from '../core/monitors/notes.ts'
import { MonitorDependencies } from '../core/monitors/options/shown-dependencies.ts'
import { Ping, PingBody } from '../core/monitors/ping.ts'
import { KeptAnswer } from '../core/probing/failing-answer.ts'
import { Trial, TrialBody } from '../core/probing/trial.ts'
import { MAX_RECORD_ID } from '../core/record-id.ts'
import { many, one } from './envelope.ts'
import type { Operation } from './operation.ts'
import { ReportQuery } from './report-query.ts'

const PATH = '/monitors/{monitor}'
export const CHECKS_PER_PAGE = 50
export const PINGS_PER_PAGE = 50
export const MAX_DELETED_SHOWN = 200

/** `from` and `to`, both or neither, ask for another stretch than the newest of `range`. */
const MonitorReportQuery = ReportQuery.extend({
  from: instantParameter().optional(),
  to: instantParameter().optional(),
  /** Adds a line for each region. */
  by: z.literal('region').optional(),
})

const CheckDetailQuery = z.object({
  /** Only checks before this instant; pass `next_before` of the previous page. */
  before: instantParameter().optional(),
  status: CheckStatus.optional(),
})
const PingQuery = z.object({ before: instantParameter().optional() })
/** A ping or check is identified by its monitor and its time. */
const AtQuery = z.object({ at: instantParameter() })

const TrialQuery = z.object({ id: integerParameter(1, MAX_RECORD_ID) })

/**
 * A null `next_before` means that there are no older checks. Otherwise there may be, even if this page is not
 * full: a filter searches a limited number of days per request.
 */
const CheckPage = many(CheckDetail).extend({ meta: z.object({ next_before: Instant.nullable() }) })
const PingPage = many(Ping).extend({ meta: z.object({ next_before: Instant.nullable() }) })

export const monitorPageOperations = {
  getMonitorReport: {
    internal: true,
    method: 'GET',
    path: `${PATH}/report`,
    summary: 'Show the uptime and latency of a monitor over a range',
    access: 'read',
    query: MonitorReportQuery,
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
    output: CheckPage,
    errors: ['notFound', 'validationFailed'],
  },
  listPings: {
    internal: true,
    method: 'GET',
    path: `${PATH}/pings`,
    summary: `List ${PINGS_PER_PAGE} pings of a heartbeat's job, newest first`,
    access: 'read',
    query: PingQuery,
    status: 200,
    output: PingPage,
    errors: ['notFound', 'validationFailed'],
  },
  getPingBody: {
    internal: true,
    method: 'GET',
    path: `${PATH}/ping-body`,
    summary: 'Show the body of a ping',
    access: 'read',
    query: AtQuery,
    status: 200,
    output: one(PingBody),
    errors: ['notFound', 'validationFailed'],
  },
  /** The newest answer kept serves a check after it; its status is the check's own while the answer stays the same. */
  getFailingAnswer: {
    internal: true,
    method: 'GET',
    path: `${PATH}/failing-answer`,
    summary: 'Show the answer that failed a check',
    access: 'read',
    query: AtQuery,
    status: 200,
    output: one(KeptAnswer.nullable()),
    errors: ['notFound', 'validationFailed'],
  },
  getMonitorNotes: {
    internal: true,
    method: 'GET',
    path: `${PATH}/notes`,
    summary: 'Show the runbook link and the notes of a monitor',
    access: 'read',
    status: 200,
    output: one(MonitorNotes),
    errors: ['notFound'],
  },
  updateMonitorNotes: {
    internal: true,
    method: 'PUT',
    path: `${PATH}/notes`,
    summary: 'Replace the runbook link and the notes of a monitor',
    access: 'write',
    body: MonitorNotes,
    status: 200,
    output: one(MonitorNotes),
    errors: ['notFound', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
  },
  getMonitorDependencies: {
    internal: true,
    method: 'GET',
    path: `${PATH}/dependencies`,
    summary: 'Show what a monitor depends on that is down, and what depends on it',
    access: 'read',
    status: 200,
    output: one(MonitorDependencies),
    errors: ['notFound'],
  },
  checkMonitorNow: {
    internal: true,
    method: 'POST',
    path: `${PATH}/check-now`,
    summary: 'Check a monitor now',
    access: 'write',
    status: 200,
    /** The first check later than `newer_than` (null: the first of all) is the requested one. */
    output: one(z.object({ requested_at: Instant, newer_than: Instant.nullable() })),
    errors: ['notFound', 'validationFailed'],
  },
  switchMonitor: {
    internal: true,
    method: 'POST',
    path: `${PATH}/switch`,
    summary: 'Say that a manual monitor is up or down',
    access: 'write',
    body: SwitchBody,
    status: 204,
    errors: ['notFound', 'validationFailed'],
  },
  testMonitorSettings: {
    internal: true,
    method: 'POST',
    path: '/monitor-trials',
    summary: 'Check once with settings that are not saved',
    access: 'write',
    body: TrialBody,
    status: 201,
    output: one(z.object({ id: z.int() })),
    errors: ['notFound', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
  },
  getMonitorTrial: {
    internal: true,
    method: 'GET',
    path: '/monitor-trials',
    summary: 'Show the result of a test of settings',
    access: 'write',
    query: TrialQuery,
    status: 200,
    output: one(Trial),
    errors: ['validationFailed'],
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
    summary: 'Restore a deleted monitor with its history',
    access: 'write',
    status: 200,
    output: one(Monitor),
    errors: ['monitorLimitReached', 'notFound'],
  },
} as const satisfies Record<string, Operation>
