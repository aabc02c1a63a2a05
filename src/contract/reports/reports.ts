import { TeamReport } from '../../core/reports/report.ts'
import { one } from '../envelope.ts'
import type { Operation } from '../operation.ts'
import { StatementQuery } from './statement-query.ts'

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
} as const satisfies Record<string, Operation & { internal: true }>
