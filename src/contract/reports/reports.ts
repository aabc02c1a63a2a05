import * as z from 'zod'
import { MAX_REPORT_RECIPIENTS, NewRecipient, ReportRecipient } from '../../core/reports/recipient.ts'
import { MAX_REPORTS, ReportSettings, SavedReport, TeamReport } from '../../core/reports/report.ts'
import { withoutSchemaDefaults } from '../../core/shape.ts'
import { many, one } from '../envelope.ts'
import type { Operation } from '../operation.ts'
import { StatementQuery } from './statement-query.ts'

const PATH = '/reports'
const ONE = `${PATH}/{report}`
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const

export const reportOperations = {
  getTeamReport: {
    internal: true,
    method: 'GET',
    path: '/report',
    summary: 'Show uptime, incidents and response times of subjects in a range of days',
    access: 'read',
    query: StatementQuery,
    status: 200,
    output: one(TeamReport),
    errors: ['validationFailed'],
  },
  listReports: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List saved reports, ordered by name',
    access: 'read',
    status: 200,
    output: many(SavedReport, MAX_REPORTS),
    errors: [],
  },
  createReport: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Save a report',
    access: 'write',
    body: ReportSettings,
    status: 201,
    output: one(SavedReport),
    errors: [...BODY_ERRORS],
  },
  updateReport: {
    internal: true,
    method: 'PATCH',
    path: ONE,
    summary: 'Change a saved report',
    access: 'write',
    body: z.object(withoutSchemaDefaults(ReportSettings.shape)).partial(),
    status: 200,
    output: one(SavedReport),
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteReport: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a saved report; its monthly mails end',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  listReportRecipients: {
    internal: true,
    method: 'GET',
    path: `${ONE}/recipients`,
    summary: 'List the addresses that get a report each month',
    access: 'read',
    status: 200,
    output: many(ReportRecipient, MAX_REPORT_RECIPIENTS),
    errors: ['notFound'],
  },
  addReportRecipient: {
    internal: true,
    method: 'POST',
    path: `${ONE}/recipients`,
    summary: 'Ask an address to confirm that it wants a report each month',
    access: 'write',
    body: NewRecipient,
    status: 201,
    output: one(ReportRecipient),
    errors: ['notFound', ...BODY_ERRORS],
  },
  removeReportRecipient: {
    internal: true,
    method: 'DELETE',
    path: '/report-recipients/{reportRecipient}',
    summary: 'Remove an address from a report',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
} as const satisfies Record<string, Operation & { internal: true }>
