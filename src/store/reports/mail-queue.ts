import type { Language } from '../../core/language/language.ts'
import type { ReportMail } from '../../core/reports/recipient.ts'
import type { TeamReport } from '../../core/reports/report.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import {
  type Claim,
  claimValues,
  type Queue,
  releaseClaimsOf,
  renewClaimsOf,
  withDueRows,
} from '../claims.ts'
import { NEWS_CHANNEL } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'
import { openRecipientAddress, openRecipientToken } from './recipients.ts'

const QUEUE: Queue = { table: 'report_mails', waiting: "state = 'pending'" }

export type ClaimedReportMail = {
  id: number
  teamId: number
  messageId: string
  recipientId: number
  attempts: number
  createdAt: Date
  /** Throws if no key opens it. */
  open: () => ReportMail
}

type ClaimedRow = Omit<ClaimedReportMail, 'open'> & {
  address: string
  token: string
  name: string
  language: Language
  month: string
  content: TeamReport
}

/** Claims mails that are due for `leaseSeconds`, by turns of the teams. */
export async function claimReportMails(
  { pool }: Database,
  vault: Vault,
  claim: Claim,
): Promise<ClaimedReportMail[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: 'claim-report-mails',
    text: `${withDueRows(QUEUE)},
      claimed AS (
        UPDATE report_mails m SET claimed_by = $1, claimed_until = now() + $2 * interval '1 second'
        FROM due WHERE m.id = due.id RETURNING m.*)
      SELECT m.id, p.team_id AS "teamId", m.message_id AS "messageId", m.recipient_id AS "recipientId", m.attempts, m.created_at AS "createdAt",
        r.address, r.token, p.name, t.language, m.month, e.content
      FROM claimed m JOIN report_recipients r ON r.id = m.recipient_id JOIN reports p ON p.id = m.report_id JOIN teams t ON t.id = p.team_id
        JOIN report_editions e ON e.report_id = m.report_id AND e.month = m.month`,
    values: claimValues(claim),
  })
  return rows.map(({ id, teamId, messageId, recipientId, attempts, createdAt, ...row }) => ({
    ...{ id, teamId, messageId, recipientId, attempts, createdAt },
    open: () => ({
      address: openRecipientAddress(vault, { id: recipientId, address: row.address }),
      token: openRecipientToken(vault, { id: recipientId, token: row.token }),
      name: row.name,
      language: row.language,
      month: row.month,
      report: row.content,
    }),
  }))
}

export function renewReportMailClaims(
  db: Database,
  holder: string,
  ids: number[],
  leaseSeconds: number,
): Promise<void> {
  return renewClaimsOf(db, QUEUE, holder, ids, leaseSeconds)
}

export function releaseReportMailClaims(db: Database, holder?: string, ids?: number[]): Promise<void> {
  return releaseClaimsOf(db, QUEUE, holder, ids)
}

/**
 * Writes what became of an attempt, unless another process has claimed the mail. An address that refuses for good gets nothing
 * more until it confirms again.
 */
export async function settleReportMail(
  { pool }: Database,
  holder: string,
  { id, recipientId }: Pick<ClaimedReportMail, 'id' | 'recipientId'>,
  settled: {
    state: 'pending' | 'sent' | 'failed'
    nextDelaySeconds: number | null
    detail: string
    refusesReceiver: boolean
  },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // A recipient who goes takes the mails along: the recipient first, then the mail.
    if (settled.state !== 'pending') {
      await client.query('SELECT FROM report_recipients WHERE id = $1 FOR NO KEY UPDATE', [recipientId])
    }
    const { rowCount } = await client.query({
      name: 'settle-report-mail',
      text: `UPDATE report_mails
        SET state = $3, attempts = attempts + 1, claimed_by = NULL, claimed_until = NULL, detail = $5,
            next_attempt_at = now() + coalesce($4::float8, 0) * interval '1 second',
            finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END
        WHERE id = $1 AND claimed_by = $2 AND state = 'pending'`,
      values: [id, holder, settled.state, settled.nextDelaySeconds, settled.detail],
    })
    if (!rowCount || settled.state === 'pending') return
    await client.query(
      `UPDATE report_recipients SET refused_at = CASE WHEN $2 THEN now() ELSE refused_at END WHERE id = $1
       RETURNING pg_notify('${NEWS_CHANNEL}',
         json_build_object('team_id', team_id, 'event', 'team', 'data', json_build_object())::text)`,
      [recipientId, settled.refusesReceiver],
    )
  })
}

/** Seconds until the next mail is due (0 if one is due); null if none is queued. */
export async function secondsToNextReportMail({ pool }: Database): Promise<number | null> {
  const { rows } = await pool.query<{ seconds: number | null }>({
    name: 'next-report-mail',
    text: `SELECT extract(epoch FROM min(greatest(next_attempt_at, coalesce(claimed_until, next_attempt_at))) - now())::float8
             AS seconds FROM report_mails WHERE state = 'pending'`,
  })
  const seconds = rows[0]?.seconds ?? null
  return seconds === null ? null : Math.max(0, seconds)
}
