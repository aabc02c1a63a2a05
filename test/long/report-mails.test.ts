// npm test leaves this out: it kills a process again and again while it mails a month's reports (a minute).
import { test } from 'node:test'
import { assertReportMailsSurvive } from '../service/processes/report-mails.ts'

const KILLS = Number(process.env.CRASHES ?? 10)
const REPORTS = Number(process.env.REPORTS ?? 40)

test(`the month of ${REPORTS} reports is mailed once over ${KILLS} crashes`, async (t) => {
  await assertReportMailsSurvive(t, { reports: REPORTS, kills: KILLS })
})
