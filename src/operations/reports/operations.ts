export { addReportRecipient, listReportRecipients, removeReportRecipient } from './recipients.ts'
export { createReport, deleteReport, listReports, updateReport } from './saved-reports.ts'
export * from './team-report.ts'
