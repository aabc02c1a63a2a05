import { createReportMail } from '../alerts/mail/report-mail.ts'
import { startEditionWriter } from '../engine/reports/queue-editions.ts'
import { createReportMailLoop } from '../engine/reports/send-report-mails.ts'
import { troubleOf } from '../log.ts'
import { createNetwork } from '../net/network.ts'
import type { Loop } from '../postgres/loop.ts'
import { madeOf } from '../settings.ts'
import { mailOf, type Sender } from './alerts.ts'

/** Starts to make the editions of reports, by the database's clock, and to mail them. */
export function startReports(
  { config, store: { db, vault }, holder, log, meter: { tally }, loops }: Sender,
  databaseNow: () => Date,
): Loop {
  const now = () => new Date()
  const onTrouble = troubleOf(log, 'reports')
  const network = createNetwork({ privateTargets: config.privateTargets, now })
  const send = madeOf(config, () => createReportMail(network, mailOf(config), config.siteUrl, now))
  const writer = startEditionWriter({ db, now: databaseNow, ...loops.watch('editions', onTrouble) })
  const sender = createReportMailLoop({
    db,
    vault,
    send: (...mail) => send()(...mail),
    holder,
    now,
    random: Math.random,
    note: ({ id }, outcome, willRetry) => {
      tally.count('letters', [outcome.kind === 'retry' && !willRetry ? 'failed' : outcome.kind])
      const about = { part: 'reports', mail: id, detail: outcome.detail }
      if (outcome.kind === 'sent') log.debug(about, 'report sent')
      else if (willRetry) log.warn(about, 'report not sent yet: it is tried again')
      else log.warn(about, 'report not sent')
    },
    ...loops.watch('report mails', onTrouble),
  })
  return {
    wake: () => sender.wake(),
    async close() {
      await writer.close()
      await sender.close()
    },
  }
}
