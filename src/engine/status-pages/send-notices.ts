import { type DeliveryOutcome, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import { nextConfirmationSeconds } from '../../core/status-pages/subscribers/confirmation.ts'
import type { Notice } from '../../core/status-pages/subscribers/notice.ts'
import type { Loop } from '../../postgres/loop.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import {
  type ClaimedNotice,
  openNotice,
  queuedNotices,
  settleNotice,
} from '../../store/status-pages/notice-queue.ts'
import { type MailQueue, type MailSender, startMailLoop } from '../alerting/mail-loop.ts'

/** Sends messages to subscribers of status pages; a webhook that has not confirmed is left alone sooner. */
export function createNoticeLoop(
  deps: {
    vault: Vault
    siteUrl: () => string
    send: (notice: Notice, teamId: number, messageId: string, signal: AbortSignal) => Promise<DeliveryOutcome>
    note: MailQueue<ClaimedNotice>['note']
  } & MailSender,
): Loop {
  const { vault, siteUrl, note } = deps
  return startMailLoop(deps, {
    rows: queuedNotices,
    capacity: 'notices',
    whyUseless: ({ isShown }) => (isShown ? null : 'the page or the post was taken off before it was sent'),
    send: (notice, signal) =>
      deps.send(openNotice(notice, vault, siteUrl()), notice.teamId, notice.messageId, signal),
    nextDelay: ({ isConfirmation }, ...timing) =>
      (isConfirmation ? nextConfirmationSeconds : nextDelaySeconds)(...timing),
    settle: settleNotice,
    note,
  })
}
