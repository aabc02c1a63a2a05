import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { insertRecipient } from '../../../src/store/reports/recipients.ts'
import { insertReport } from '../../../src/store/reports/saved-reports.ts'
import { crashRandom } from '../../support/crash-seed.ts'
import { startSmtpReceiver } from '../../support/servers/smtp-receiver.ts'
import { startTestService } from '../../support/services/service.ts'
import { until } from '../../support/until.ts'

const RECIPIENTS_EACH = 5
/** About as long as the edition of a report takes; all are made when the service starts. */
const MAKING_MS = 8
const EVERYTHING = { all_subjects: true, monitor_ids: [], server_ids: [], site_ids: [], tags: [] }

/**
 * A month is due to be mailed while the service is killed again and again: at first while it makes the editions, later among
 * the mails. Each report has one edition, and everybody gets it, always as the same message.
 */
export async function assertReportMailsSurvive(
  t: TestContext,
  { reports, kills }: { reports: number; kills: number },
): Promise<void> {
  const random = crashRandom(t)
  const smtp = await startSmtpReceiver(t)
  const service = await startTestService({ ROLES: 'api,alerts', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
  t.after(() => service.close())
  const { id: teamId } = await service.createTeam()
  const { db, vault } = service.services
  const nextMailAt = new Date(Date.now() - 60_000)
  for (let number = 0; number < reports; number++) {
    const settings = { ...EVERYTHING, name: `Report ${number}`, time_zone: 'UTC', nextMailAt }
    const reportId = await insertReport(db.query, teamId, settings)
    for (let reader = 0; reader < RECIPIENTS_EACH; reader++) {
      const address = `reader-${number}-${reader}@example.com`
      const of = { reportId, teamId, address, token: randomUUID(), confirmedAt: nextMailAt }
      await insertRecipient(db.query, vault, of)
    }
  }
  await service.letGo()

  const readers = reports * RECIPIENTS_EACH
  const whileMaking = Math.ceil(kills / 2)
  for (let kill = 0; kill < kills; kill++) {
    await service.signal('SIGKILL')
    await service.start()
    if (kill < whileMaking) await delay(random() * reports * MAKING_MS)
    else {
      const left = readers - smtp.mails.length
      const enough = smtp.mails.length + random() * ((2 * left) / (kills - kill + 1))
      await until('some mails', () => smtp.mails.length >= Math.min(enough, readers))
    }
  }
  await service.takeUp()
  const { pool } = service.services.db
  const count = async (text: string): Promise<number> =>
    (await pool.query(`SELECT count(*)::int AS count FROM ${text}`)).rows[0].count
  await until('all to be mailed', async () => (await count("report_mails WHERE state = 'sent'")) === readers)
  assert.equal(await count('report_mails'), readers, 'nobody is mailed a month twice')
  assert.equal(await count('report_editions'), reports)
  assert.equal(await count('reports WHERE next_mail_at > now()'), reports, 'the next month is planned')

  const idsOf = Map.groupBy(smtp.mails, ({ to }) => to[0])
  t.diagnostic(`${readers} readers, ${kills} kills, ${smtp.mails.length} mails`)
  assert.equal(idsOf.size, readers, 'everybody gets it')
  for (const [address, mails] of idsOf) {
    const ids = new Set(mails.map(({ headers }) => headers.get('message-id')))
    assert.equal(ids.size, 1, `${address} got different messages`)
  }
  assert.equal(new Set(smtp.mails.map(({ headers }) => headers.get('message-id'))).size, readers)
}
