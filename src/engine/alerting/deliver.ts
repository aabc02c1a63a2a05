import { isOfBrowser } from '../../core/alerting/contact-types.ts'
import { type DeliveryOutcome, isTriedOnce, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import { groupKindOf } from '../../core/alerting/grouping.ts'
import { ALERTS_PER_HOUR } from '../../core/alerting/mailbox.ts'
import { quietUntil } from '../../core/alerting/quiet-until.ts'
import type { Database } from '../../postgres/database.ts'
import { isMembersAddress, releaseContacts } from '../../store/alerting/agreements.ts'
import { deleteContact } from '../../store/alerting/contacts.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  releaseClaims,
  renewClaims,
  secondsToNextDelivery,
  settleDelivery,
} from '../../store/alerting/deliveries.ts'
import { deferToGroup, groupHash, putOffWithGroup, reserveAlone } from '../../store/alerting/groups.ts'
import {
  type Digest,
  deferToDigest,
  isForMailbox,
  mailboxHash,
  moveToMailbox,
  openDigest,
  reserveMail,
  settleDigest,
} from '../../store/alerting/mailboxes.ts'
import { keepQuiet } from '../../store/alerting/quiet-hours.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { type ClaimLoop, startClaimLoop } from './claim-loop.ts'

const MAX_UNDER_WAY = 64

export type Send = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<DeliveryOutcome>
export type SendDigest = (digest: Digest, signal: AbortSignal) => Promise<DeliveryOutcome>
/** Sends several alerts to one contact as one message. */
export type SendGroup = SendDigest

/**
 * Sends deliveries that are due: claims rows, hands each to its channel, and writes the outcome. Mail to one address is
 * bounded: alerts over the bound go as one digest. Alerts that come within a minute go to a contact as one message. In the
 * quiet hours of a contact nothing is sent to it: an alert that waits with others leaves them, and is held or dropped.
 */
export function createDeliverer(deps: {
  db: Database
  vault: Vault
  send: Send
  sendDigest: SendDigest
  sendGroup: SendGroup
  /** Whether an address outside the team must have agreed to alerts: true where sign-up is open. */
  wantsAgreement: boolean
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  /** Called when an attempt has ended; `gave up`: it was to be tried again, and is not. */
  note?: (delivery: ClaimedDelivery, outcome: DeliveryOutcome['kind'] | 'gave up', tookMs: number) => void
  onTrouble: (error: unknown) => void
  onRound?: () => void
}): ClaimLoop {
  const { db, vault, holder, now } = deps

  async function attempt(delivery: ClaimedDelivery, signal: AbortSignal) {
    const quiet = delivery.mailboxHash === null ? endOfQuiet(delivery) : null
    if (quiet !== null) {
      const isKept = await keepQuiet(db, holder, delivery, quiet)
      return isKept ? undefined : releaseClaims(db, holder, [delivery.id])
    }
    const address = mailAddressOf(delivery)
    if (address !== null && !(await mayMail(delivery, address))) {
      return attemptAlone(delivery, signal, refuseUnasked)
    }
    if (delivery.mailboxHash !== null) return attemptTogether(delivery, delivery.mailboxHash, address, signal)
    const { contactId } = delivery
    const kind = groupKindOf(delivery.contactType, delivery.alert.event)
    if (contactId !== null && kind !== null && delivery.attempts === 0) {
      // Held alerts go together.
      if (delivery.heldUntil !== null || !(await reserveAlone(db, contactId, kind))) {
        return deferToGroup(db, holder, { id: delivery.id, contactId })
      }
    }
    if (address === null) return attemptAlone(delivery, signal, deps.send)
    const mailbox = mailboxHash(address)
    if (await reserveMail(db, mailbox, ALERTS_PER_HOUR)) return attemptAlone(delivery, signal, deps.send)
    await deferToDigest(db, holder, delivery.id, mailbox)
  }

  /** Of what waits for the digest of a mailbox, or with the group of its contact. */
  async function attemptTogether(
    delivery: ClaimedDelivery,
    waitsFor: Buffer,
    address: string | null,
    signal: AbortSignal,
  ) {
    const { id, contactId } = delivery
    if (contactId === null || !waitsFor.equals(groupHash(contactId))) {
      const isFor = (one: ClaimedDelivery) => isForMailbox(one, waitsFor)
      return attemptDigest(delivery, waitsFor, isFor, deps.sendDigest, signal)
    }
    if (await putOffWithGroup(db, holder, { id, contactId })) return
    const isFor = (one: ClaimedDelivery) => one.contactId === contactId && one.config !== null
    const isTried = delivery.attempts > 0
    const mailbox = address === null || isTried ? null : mailboxHash(address)
    await attemptDigest(delivery, waitsFor, isFor, deps.sendGroup, signal, mailbox)
  }

  async function attemptAlone(delivery: ClaimedDelivery, signal: AbortSignal, send: Send) {
    const settled = await tried(delivery, signal, () => send(delivery, signal))
    if (!settled) return
    deps.note?.(delivery, settled.kind, settled.durationMs)
    const isGone = isBrowserGone(delivery, settled.outcome)
    const outcome = isGone ? withEnd(settled.outcome) : settled.outcome
    await settleDelivery(db, holder, delivery, { ...settled, outcome })
    const { teamId, contactId } = delivery
    if (isGone && contactId !== null) await db.transaction((query) => deleteContact(query, teamId, contactId))
  }

  async function attemptDigest(
    leader: ClaimedDelivery,
    mailbox: Buffer,
    isFor: (delivery: ClaimedDelivery) => boolean,
    send: SendDigest,
    signal: AbortSignal,
    /** For a group that goes by mail: one message, however many alerts, which counts as one mail of the hour. */
    countedMailbox: Buffer | null = null,
  ) {
    const mayGo = (one: ClaimedDelivery) => isFor(one) && endOfQuiet(one) === null
    const digest = await openDigest(db, vault, holder, leader, mailbox, mayGo)
    if (!digest) return releaseClaims(db, holder, [leader.id])
    // By the one that leads alone: the others of a group are claimed with it, and each would count.
    if (countedMailbox && !(await reserveMail(db, countedMailbox, ALERTS_PER_HOUR))) {
      return moveToMailbox(db, holder, digest, countedMailbox)
    }
    const settled = await tried(leader, signal, () => send(digest, signal))
    if (!settled) return
    for (const delivery of digest.deliveries) deps.note?.(delivery, settled.kind, settled.durationMs)
    await settleDigest(db, holder, digest, settled)
  }

  /** Null when it was interrupted: the next process tries again. */
  async function tried(delivery: ClaimedDelivery, signal: AbortSignal, send: () => Promise<DeliveryOutcome>) {
    const attemptedAt = now()
    const outcome = await send()
    if (signal.aborted && outcome.kind !== 'sent') return null
    const finishedAt = now()
    const durationMs = finishedAt.getTime() - attemptedAt.getTime()
    const nextDelaySeconds = secondsToRetry(delivery, outcome, finishedAt)
    const givesUp = outcome.kind === 'retry' && nextDelaySeconds === null
    const kind = givesUp ? ('gave up' as const) : outcome.kind
    return { outcome, attemptedAt, durationMs, nextDelaySeconds, kind }
  }

  /** Null when it is not tried again. */
  function secondsToRetry(delivery: ClaimedDelivery, outcome: DeliveryOutcome, at: Date): number | null {
    const isAlone = delivery.mailboxHash === null
    if (outcome.kind !== 'retry' || (isAlone && isTriedOnce(delivery.alert.event))) return null
    const waitsSince = delivery.heldUntil ?? delivery.createdAt
    const ageSeconds = (at.getTime() - waitsSince.getTime()) / 1_000
    return nextDelaySeconds(delivery.attempts + 1, ageSeconds, outcome.retryAfterSeconds, deps.random())
  }

  /** A person who confirmed the address, or joined, after the contact was made has agreed by that. */
  async function mayMail({ unagreedHash, teamId }: ClaimedDelivery, address: string): Promise<boolean> {
    if (!deps.wantsAgreement || unagreedHash === null) return true
    if (!(await isMembersAddress(db.query, teamId, address))) return false
    await releaseContacts(db.query, teamId, unagreedHash)
    return true
  }

  const rows = {
    claim: (limit: number, leaseSeconds: number) =>
      claimDeliveries(db, vault, { holder, leaseSeconds, limit }),
    renew: (ids: number[], leaseSeconds: number) => renewClaims(db, holder, ids, leaseSeconds),
    release: (ids?: number[]) => releaseClaims(db, holder, ids),
    secondsToNext: () => secondsToNextDelivery(db),
    attempt,
  }
  return startClaimLoop(rows, MAX_UNDER_WAY, deps.onTrouble, deps.onRound)
}

/** The end of the quiet hours that its contact has; null where it may be sent. */
function endOfQuiet({ quietHours, alert, claimedAt }: ClaimedDelivery): Date | null {
  return quietUntil(quietHours, alert.event, claimedAt)
}

/** A browser that has ended its subscription never takes it up again: its address is of no use, and a person's. */
function isBrowserGone({ contactType }: ClaimedDelivery, outcome: DeliveryOutcome): boolean {
  return isOfBrowser(contactType) && outcome.kind === 'rejected' && outcome.refusesReceiver === true
}

function withEnd(outcome: DeliveryOutcome): DeliveryOutcome {
  return { ...outcome, detail: `${outcome.detail} (${BROWSER_GONE})` }
}

const BROWSER_GONE = 'the browser takes no more alerts from here, so its contact was deleted'

/** Null for a channel other than mail. */
function mailAddressOf({ config }: ClaimedDelivery): string | null {
  return config !== null && 'email' in config ? config.email : null
}

const refuseUnasked: Send = async () => ({
  kind: 'rejected',
  statusCode: null,
  detail:
    'this address has not agreed to alerts yet: whoever reads its mail has to open the link that was sent there',
})
