import type { DiagnosisFound } from '../../../src/core/monitors/incidents/diagnosis.ts'
import { failingAnswer } from '../../../src/core/probing/failing-answer.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { writeAnswers } from '../../../src/store/monitors/failing-answers.ts'
import { addRow } from '../records/rows.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head><title>503 Service Temporarily Unavailable</title></head>
<body>
<h1>Service Temporarily Unavailable</h1>
<p>The queue of workers is full (128 of 128). Request 7f3a91c2.</p>
</body>
</html>
`

/** The answer that opened an incident, where its cause is one of HTTP. */
export async function keepAnswer(
  db: Database,
  incident: { id: number; monitorId: number; at: Date; cause: string },
): Promise<void> {
  const status = /^HTTP (\d+)/.exec(incident.cause)?.[1]
  if (!status) return
  const answer = failingAnswer({
    statusLine: `HTTP/1.1 ${status} Service Temporarily Unavailable`,
    headers: [
      { name: 'Content-Type', value: 'text/html; charset=utf-8' },
      { name: 'Retry-After', value: '30' },
      { name: 'Server', value: 'nginx' },
      { name: 'Set-Cookie', value: 'session=8c1f; Path=/; HttpOnly' },
    ],
    body: { kind: 'text', text: PAGE, isCut: false },
  })
  const row = { monitorId: incident.monitorId, incidentId: incident.id, checkedAt: incident.at }
  await inTransaction(db.pool, (client) =>
    writeAnswers(client, [{ ...row, httpStatusCode: Number(status), answer }]),
  )
}

/** A diagnosis of an outage, for the page of its incident. */
export async function keepDiagnosis(
  db: Database,
  { id, team, monitorId, at }: { id: number; team: number; monitorId: number; at: Date },
): Promise<void> {
  const found: DiagnosisFound = {
    outcome: 'diagnosed',
    summary: 'it answers, but not as expected: HTTP 503 (expected 200, 204); all 2 regions see it',
    region: 'lon',
    sections: [
      { name: 'regions', lines: ['lon: down in 38 ms: HTTP 503', 'nyc: down in 41 ms: HTTP 503'] },
      { name: 'name', lines: [`shop.example.com  CNAME  ${'edge.'.repeat(20)}example.net`] },
      { name: 'answer', lines: ['HTTP/1.1 503 Service Temporarily Unavailable', 'server: nginx', '', PAGE] },
    ],
  }
  await addRow(db, 'diagnoses', {
    ...{ team_id: team, monitor_id: monitorId, team_incident_id: id, found },
    ...{ asked_at: at, expires_at: at, ended_at: at },
  })
}
