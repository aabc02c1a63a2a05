import { failingAnswer } from '../../../src/core/probing/failing-answer.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { writeAnswers } from '../../../src/store/monitors/failing-answers.ts'

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
