import type { Language } from '../../core/language/language.ts'
import type { ReportMail } from '../../core/reports/recipient.ts'
import type { TeamReport } from '../../core/reports/report.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import { noteSettled, openAskedAddress, openAskedToken } from '../accounts/asked-addresses.ts'
import { claimable, type Settlement, settleClaimed } from '../claims.ts'
import type { Vault } from '../sealing/vault.ts'

export type ClaimedReportMail = {
  id: number
  teamId: number
  messageId: string
  recipientId: number
  attempts: number
  createdAt: Date
  /** Sealed, as the token is; see `openReportMail`. */
  address: string
  token: string
  name: string
  language: Language
  month: string
  content: TeamReport
}

export const queuedReportMails = claimable<ClaimedReportMail>({
  table: 'report_mails',
  waiting: "state = 'pending'",
  read: `SELECT m.id, p.team_id AS "teamId", m.message_id AS "messageId", m.recipient_id AS "recipientId", m.attempts,
      m.created_at AS "createdAt", r.address, r.token, p.name, t.language, m.month, e.content
    FROM claimed m JOIN report_recipients r ON r.id = m.recipient_id JOIN reports p ON p.id = m.report_id
      JOIN teams t ON t.id = p.team_id JOIN report_editions e ON e.report_id = m.report_id AND e.month = m.month`,
})

/** Throws if no key opens it. */
export function openReportMail(claimed: ClaimedReportMail, vault: Vault): ReportMail {
  const { recipientId: id, address, token, name, language, month, content: report } = claimed
  return {
    address: openAskedAddress(vault, 'report_recipients', { id, address }),
    token: openAskedToken(vault, 'report_recipients', { id, token }),
    ...{ name, language, month, report },
  }
}

/**
 * Writes what became of an attempt, unless another process has claimed the mail. An address that refuses for good gets nothing
 * more until it confirms again.
 */
export async function settleReportMail(
  { pool }: Database,
  holder: string,
  { id, teamId, recipientId }: Pick<ClaimedReportMail, 'id' | 'teamId' | 'recipientId'>,
  settled: Settlement & { detail: string; refusesReceiver: boolean },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // A recipient who goes takes the mails along: the recipient first, then the mail.
    if (settled.state !== 'pending') {
      await client.query('SELECT FROM report_recipients WHERE team_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        teamId,
        recipientId,
      ])
    }
    const row = { table: 'report_mails', holder, id } as const
    const isOurs = await settleClaimed(client, row, settled, { detail: settled.detail })
    if (!isOurs || settled.state === 'pending') return
    await noteSettled(client, 'report_recipients', { teamId, id: recipientId }, settled.refusesReceiver)
  })
}
