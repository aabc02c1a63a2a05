import type { Sending } from '../alerts/channel.ts'
import { type Channels, createChannels, send } from '../alerts/channels.ts'
import { createDigestMail } from '../alerts/mail/digest.ts'
import { createLetterMail, testLetter } from '../alerts/mail/letter.ts'
import { createNoticeSender } from '../alerts/mail/notice.ts'
import type { MailSettings } from '../alerts/mail/smtp-options.ts'
import { type AlertGroup, sendGroup } from '../alerts/send-group.ts'
import { type Config, mailName } from '../config.ts'
import { isAcknowledgement } from '../core/alerting/alert.ts'
import type { ContactConfigs } from '../core/alerting/contact.ts'
import { MAIL_IS_NOT_SET_UP } from '../core/alerting/delivery-log.ts'
import { type AcknowledgementLink, linkText } from '../core/on-call/acknowledgement.ts'
import type { FailingAnswer } from '../core/probing/failing-answer.ts'
import type { Send, SendDigest, SendGroup } from '../engine/alerting/attempts.ts'
import { createDeliverer } from '../engine/alerting/deliver.ts'
import { createLetterSender } from '../engine/alerting/send-letters.ts'
import { startMailTestLoop } from '../engine/alerting/send-mail-tests.ts'
import type { Loops } from '../engine/loops.ts'
import { createNoticeLoop } from '../engine/status-pages/send-notices.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Meter } from '../metrics/meter.ts'
import { createNetwork, type Network } from '../net/network.ts'
import { onBehalfOf } from '../net/on-behalf-of.ts'
import type { Services } from '../operations/services.ts'
import { renderPostBody } from '../pages/status-pages/markdown.ts'
import type { Database } from '../postgres/database.ts'
import type { Loop } from '../postgres/loop.ts'
import { madeOf } from '../settings.ts'
import { insertLetter } from '../store/accounts/letters.ts'
import type { ClaimedDelivery } from '../store/alerting/deliveries.ts'
import { findEnded } from '../store/alerting/ended.ts'
import { readOrCreatePushKeys } from '../store/alerting/push-keys.ts'
import { readDiagnosisSummary } from '../store/incidents/diagnoses.ts'
import { findOpeningAnswer } from '../store/monitors/failing-answers.ts'
import { acknowledgementUrl } from '../store/on-call/acknowledgement-links.ts'
import type { Vault } from '../store/sealing/vault.ts'
import type { Store } from '../store/store.ts'
import { countDeliveries } from './counters.ts'

const now = () => new Date()

/** The parts of a process that every loop is wired with which sends something. `holder` claims what it sends. */
export type Sender = { config: Config; store: Store; holder: string; log: Log; meter: Meter; loops: Loops }

/** Without a mail server a letter is dropped at once: sent much later, it would surprise its reader. */
export function letterQueue(config: Config, vault: Vault, log: Log): Services['enqueueLetter'] {
  return async (query, permit, letter, linkExpiresAt, teamId) => {
    if (config.smtpUrl === null) {
      const { kind } = permit
      log.warn({ part: 'mail', kind, detail: MAIL_IS_NOT_SET_UP }, 'letter not sent')
      return
    }
    permit.use()
    await insertLetter(query, vault, letter, linkExpiresAt, teamId)
  }
}

/** Wires the role `alerts`: starts to send alerts. */
export function startAlertSender({ config, store, holder, log, meter, loops }: Sender): Loop {
  const { db, vault } = store
  const network = createNetwork({ privateTargets: config.privateTargets, now })
  const channels = madeOf(config, () =>
    createChannels({
      network,
      mail: mailOf(config),
      apiUrls: config.apiUrls,
      siteUrl: config.siteUrl,
      pushKeys: () => readOrCreatePushKeys(db.query, vault),
      now,
    }),
  )
  const sendOne: Send = async (delivery, signal) => {
    const acknowledgeUrl = acknowledgeUrlOf(delivery, config.siteUrl, vault)
    const more = {
      ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
      ...(await endedBy(db, delivery, [delivery])),
      ...(await diagnosisOf(db, delivery)),
      answer: () => answerOf(db, delivery),
      groupId: delivery.firstGroup,
    }
    const outcome = await sendThrough(channels(), delivery, more, signal)
    const about = { delivery: delivery.id, channel: delivery.contactType, event: delivery.alert.event }
    if (outcome.kind === 'sent') log.info(about, 'alert sent')
    else log.warn({ ...about, detail: outcome.detail }, `alert not sent: ${outcome.kind}`)
    return outcome
  }
  const sendDigest = digestSender(config, network, log)
  const sendGroup = groupSender(channels, config, { db, vault }, log)
  return createDeliverer({
    db,
    vault,
    send: (delivery, signal) => onBehalfOf(delivery.teamId, () => sendOne(delivery, signal)),
    sendDigest: (digest, signal) => onBehalfOf(digest.leader.teamId, () => sendDigest(digest, signal)),
    sendGroup: (digest, note, signal) =>
      onBehalfOf(digest.leader.teamId, () => sendGroup(digest, note, signal)),
    wantsAgreement: config.signup === 'open',
    holder,
    now,
    random: Math.random,
    note: countDeliveries(meter.tally, () => config.smtpUrl !== null),
    ...loops.watch('alerts', troubleOf(log, 'alerts')),
  })
}

function digestSender(config: Config, network: Network, log: Log): SendDigest {
  const sendDigest = madeOf(config, () => createDigestMail(network, mailOf(config), config.siteUrl, now))
  return async ({ messageId, deliveries }, signal) => {
    const [{ config: mailbox }] = deliveries as [ClaimedDelivery]
    const { email: address } = mailbox as ContactConfigs['email']
    // As its language, its zone is that of the newest.
    const timeZone = deliveries.at(-1)?.timeZone ?? null
    const outcome = await sendDigest()(
      { messageId, address, timeZone, alerts: deliveries.map(({ alert }) => alert) },
      signal,
    )
    const about = { digest: messageId, alerts: deliveries.length }
    if (outcome.kind === 'sent') log.info(about, 'digest of alerts sent')
    else log.warn({ ...about, detail: outcome.detail }, `digest of alerts not sent: ${outcome.kind}`)
    return outcome
  }
}

/** The one that leads lends its message id, so that tries again are the same message to the receiver. */
function groupSender(
  channels: () => Channels,
  config: Config,
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  log: Log,
): SendGroup {
  return async ({ messageId, leader, deliveries, told }, note, signal) => {
    const { siteUrl } = config
    const alerts = deliveries.map(({ alert }) => alert)
    const acknowledgeUrl = acknowledgeUrlOfGroup(leader, deliveries, siteUrl, vault)
    const group = { alerts, told, siteUrl, acknowledgeUrl, accepted: leader.partsSent }
    const one = deliveries.length === 1 && leader.partsSent === 0
    const more = {
      ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
      ...(await endedBy(db, leader, deliveries)),
      ...(one && { ...(await diagnosisOf(db, leader)), answer: () => answerOf(db, leader) }),
      groupId: leader.firstGroup ?? messageId,
    }
    const outcome = one
      ? await sendThrough(channels(), leader, more, signal)
      : await sendThrough(channels(), leader, more, signal, { ...group, note })
    const about = { group: messageId, channel: leader.contactType, alerts: deliveries.length }
    if (outcome.kind === 'sent') log.info(about, 'alerts sent together')
    else log.warn({ ...about, detail: outcome.detail }, `alerts not sent: ${outcome.kind}`)
    return outcome
  }
}

/** Starts to send letters to people about their accounts. */
export function startLetterSender({ config, store, holder, log, meter, loops }: Sender): Loop {
  const { db, vault } = store
  const network = createNetwork({ privateTargets: config.privateTargets, now })
  const send = madeOf(config, () => createLetterMail(network, mailOf(config), config.siteUrl, now))
  return createLetterSender({
    db,
    vault,
    send: (letter, id, signal) => send()(letter, id, signal),
    holder,
    now,
    random: Math.random,
    note: ({ id: letter }, outcome, willRetry) => {
      const about = { part: 'mail', letter, detail: outcome.detail }
      meter.tally.count('letters', [outcome.kind === 'retry' && !willRetry ? 'failed' : outcome.kind])
      if (outcome.kind === 'sent') log.info({ part: 'mail', letter }, 'letter sent')
      else if (willRetry) log.warn(about, 'letter not sent yet: it is tried again')
      else log.warn(about, 'letter not sent')
    },
    ...loops.watch('letters', troubleOf(log, 'mail')),
  })
}

/** Starts to send mails by which operators try settings before they save them. */
export function startMailTests({ config, store: { db, vault }, log, loops }: Sender): Loop {
  const network = createNetwork({ privateTargets: config.privateTargets, now })
  return startMailTestLoop({
    db,
    vault,
    async send({ smtpUrl, from, to, language }, id, signal) {
      const mail = smtpUrl === null ? null : { smtpUrl, from, name: mailName(config.siteUrl, from) }
      const letter = testLetter(to, language, config.siteUrl)
      const outcome = await createLetterMail(
        network,
        mail,
        config.siteUrl,
        now,
      )(letter, `mail-test-${id}`, signal)
      log.info({ part: 'mail', outcome: outcome.kind, detail: outcome.detail }, 'mail settings tested')
      return outcome
    },
    ...loops.watch('mail tests', troubleOf(log, 'mail')),
  })
}

/** Starts to send messages to subscribers of status pages. */
export function startNoticeSender({ config, store, holder, log, meter, loops }: Sender): Loop {
  const { db, vault } = store
  const network = createNetwork({ privateTargets: config.privateTargets, now })
  const send = madeOf(config, () =>
    createNoticeSender({
      network,
      mail: mailOf(config),
      siteUrl: config.siteUrl,
      renderBody: renderPostBody,
      now,
    }),
  )
  return createNoticeLoop({
    db,
    vault,
    siteUrl: () => config.siteUrl,
    send: (notice, teamId, messageId, signal) => onBehalfOf(teamId, () => send()(notice, messageId, signal)),
    holder,
    now,
    random: Math.random,
    note: ({ id: notice, type }, outcome, willRetry) => {
      meter.tally.count('notices', [type, outcome.kind === 'retry' && !willRetry ? 'failed' : outcome.kind])
      const about = { part: 'status pages', notice, detail: outcome.detail }
      if (outcome.kind === 'sent') log.debug(about, 'subscriber told')
      else if (willRetry) log.warn(about, 'subscriber not told yet: it is tried again')
      else log.warn(about, 'subscriber not told')
    },
    ...loops.watch('notices', troubleOf(log, 'status pages')),
  })
}

/** Alerts of trouble that belongs to an incident, or to a drill, have a link by which their contact acknowledges it. */
function acknowledgeUrlOf(delivery: ClaimedDelivery, siteUrl: string, vault: Vault): string | undefined {
  const link = linkOf(delivery)
  return link && acknowledgementUrl(siteUrl, vault, link)
}

function linkOf({ alert, incidentId, contactId }: ClaimedDelivery): AcknowledgementLink | undefined {
  if (contactId === null || alert.event.endsWith('.recovery')) return undefined
  const kind = alert.type === 'test' ? 'drill' : alert.type
  const id = kind === 'drill' ? alert.drill?.id : incidentId
  return id == null ? undefined : { kind, incidentId: id, contactId }
}

/** Asked for a channel that calls people again and again until they take note. */
async function endedBy(
  db: Database,
  { contactType, contactId }: ClaimedDelivery,
  deliveries: ClaimedDelivery[],
): Promise<Pick<Sending<unknown>, 'ended'>> {
  if (contactType !== 'pushover' || contactId === null) return {}
  const over = deliveries.flatMap(({ alert, incidentId }) => {
    const isOver = alert.event.endsWith('.recovery') || isAcknowledgement(alert)
    return isOver && incidentId !== null && alert.type !== 'test'
      ? [{ type: alert.type, id: alert.knownAs ?? incidentId }]
      : []
  })
  return over.length === 0 ? {} : { ended: await findEnded(db, contactId, over) }
}

/** For alerts about trouble that come after it is there, such as reminders and those that waited. */
async function diagnosisOf(
  db: Database,
  { alert, teamId, incidentId }: ClaimedDelivery,
): Promise<Pick<Sending<unknown>, 'diagnosis'>> {
  if (alert.event !== 'monitor.down' || incidentId === null) return {}
  const diagnosis = await readDiagnosisSummary(db.query, teamId, incidentId)
  return diagnosis === null ? {} : { diagnosis }
}

/** Told with the trouble, not with its end. */
async function answerOf(
  db: Database,
  { alert, teamId, incidentId }: ClaimedDelivery,
): Promise<FailingAnswer | null> {
  if (alert.type !== 'monitor' || alert.event.endsWith('.recovery') || incidentId === null) return null
  return findOpeningAnswer(db.query, teamId, incidentId)
}

/** The link for one incident, or for all that the group tells; the one that leads it stands for them. */
function acknowledgeUrlOfGroup(
  leader: ClaimedDelivery,
  deliveries: ClaimedDelivery[],
  siteUrl: string,
  vault: Vault,
): string | undefined {
  const [one, ...others] = deliveries.flatMap((delivery) => linkOf(delivery) ?? [])
  if (!one) return undefined
  const isOfSeveral = leader.partsSent > 0 || others.some((link) => linkText(link) !== linkText(one))
  const link = isOfSeveral ? { ...one, kind: 'group' as const, incidentId: leader.id } : one
  return acknowledgementUrl(siteUrl, vault, link)
}

function sendThrough(
  channels: Channels,
  delivery: ClaimedDelivery,
  more: Pick<Sending<unknown>, 'acknowledgeUrl' | 'ended' | 'answer' | 'diagnosis' | 'groupId'>,
  signal: AbortSignal,
  group?: AlertGroup,
) {
  const { contactType, config, messageId, inReplyTo, firstReceipt, alert, incidentId, timeZone } = delivery
  if (config === null) {
    return {
      kind: 'rejected' as const,
      statusCode: null,
      detail: 'the contact was deleted before it could be told',
    }
  }
  const sending = {
    messageId,
    inReplyTo,
    firstReceipt,
    alert,
    incidentId,
    ...more,
    timeZone,
    config: config as never,
    signingSecret: delivery.signingSecret,
    sentAt: now(),
    signal,
  }
  return group ? sendGroup(channels, contactType, sending, group) : send(channels, contactType, sending)
}

/** The operator's mail server; null if there is none. */
export function mailOf({ smtpUrl, mailFrom, mailName }: Config): MailSettings | null {
  return smtpUrl === null ? null : { smtpUrl, from: mailFrom, name: mailName }
}
