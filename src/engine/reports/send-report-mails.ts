import type { DeliveryOutcome } from '../../core/alerting/delivery.ts'
import type { ReportMail } from '../../core/reports/recipient.ts'
import type { Loop } from '../../postgres/loop.ts'
import {
  type ClaimedReportMail,
  openReportMail,
  queuedReportMails,
  settleReportMail,
} from '../../store/reports/mail-queue.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { type MailQueue, type MailSender, startMailLoop } from '../alerting/mail-loop.ts'

export type SendReportMail = (
  mail: ReportMail,
  messageId: string,
  signal: AbortSignal,
) => Promise<DeliveryOutcome>

/** Sends monthly mails. */
export function createReportMailLoop(
  deps: { vault: Vault; send: SendReportMail; note: MailQueue<ClaimedReportMail>['note'] } & MailSender,
): Loop {
  return startMailLoop(deps, {
    rows: queuedReportMails,
    capacity: 'reportMails',
    send: (mail, signal) => deps.send(openReportMail(mail, deps.vault), mail.messageId, signal),
    settle: settleReportMail,
    note: deps.note,
  })
}
