import { isAcknowledgement } from '../../core/alerting/alert.ts'
import { parseConfig } from '../../core/alerting/contact.ts'
import { type ContactConfig, isOfBrowser } from '../../core/alerting/contact-types.ts'
import {
  type DeliveryOutcome,
  isTriedOnce,
  isWorthFollowing,
  nextDelaySeconds,
} from '../../core/alerting/delivery.ts'
import { ALERTS_PER_HOUR } from '../../core/alerting/mailbox.ts'
import { quietUntil } from '../../core/alerting/quiet-until.ts'
import type { Database } from '../../postgres/database.ts'
import { deleteContact, moveContact } from '../../store/alerting/contacts.ts'
import { type ClaimedDelivery, queuedDeliveries, settleDelivery } from '../../store/alerting/deliveries.ts'
import {
  type Digest,
  moveToMailbox,
  openDigest,
  reserveMail,
  settleDigest,
  settlePart,
} from '../../store/alerting/mailboxes.ts'
import type { Vault } from '../../store/sealing/vault.ts'

export type Send = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<DeliveryOutcome>
export type SendDigest = (digest: Digest, signal: AbortSignal) => Promise<DeliveryOutcome>
/**
 * Sends several alerts to one contact, in as few messages as hold them. It notes each one that the receiver has taken
 * before it sends the next, and returns the outcome of the last one that it tried.
 */
export type SendGroup = (digest: Digest, note: NotePart, signal: AbortSignal) => Promise<DeliveryOutcome>
/** `told`: places among the deliveries. False if another process has the group by now. */
export type NotePart = (
  part: { number: number; told: number[] },
  outcome: DeliveryOutcome,
) => Promise<boolean>

export type AttemptDependencies = {
  db: Database
  vault: Vault
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  /** Called when an attempt has ended; `gave up`: it was to be tried again, and is not. */
  note?: (
    delivery: ClaimedDelivery,
    outcome: Exclude<DeliveryOutcome['kind'], 'moved'> | 'gave up',
    tookMs: number,
  ) => void
}

/** One attempt to send a claimed delivery, alone or with those that wait with it, and what becomes of them. */
export function createAttempts(deps: AttemptDependencies) {
  const { db, vault, holder, now } = deps

  async function attemptAlone(delivery: ClaimedDelivery, signal: AbortSignal, send: Send) {
    const settled = await tried(delivery, signal, () => send(delivery, signal))
    if (!settled) return
    deps.note?.(delivery, settled.kind, settled.durationMs)
    await keepMove(delivery, settled.outcome)
    const isGone = isBrowserGone(delivery, settled.outcome)
    const outcome = isGone ? withEnd(settled.outcome) : settled.outcome
    await settleDelivery(db, holder, delivery, { ...settled, outcome })
    if (isGone) await endContact(delivery)
  }

  async function endContact({ teamId, contactId }: ClaimedDelivery) {
    if (contactId !== null) await db.transaction((query) => deleteContact(query, teamId, contactId))
  }

  async function attemptDigest(
    leader: ClaimedDelivery,
    mailbox: Buffer,
    isFor: (delivery: ClaimedDelivery) => boolean,
    send: (digest: Digest, note: NotePart) => Promise<DeliveryOutcome>,
    signal: AbortSignal,
    /** The mailbox of a group that goes by mail: one message, however many alerts, counts as one mail of the hour. */
    countedMailbox: Buffer | null = null,
  ) {
    const mayGo = (one: ClaimedDelivery) => isFor(one) && endOfQuiet(one) === null && !one.isUntold
    const digest = await openDigest(db, vault, holder, leader, mailbox, mayGo)
    if (!digest) return queuedDeliveries.release(db, holder, [leader.id])
    // The one that leads reserves alone: the others of a group are claimed with it, and each would count.
    if (countedMailbox && !(await reserveMail(db, countedMailbox, ALERTS_PER_HOUR))) {
      return moveToMailbox(db, holder, digest, countedMailbox)
    }
    const told = new Set<ClaimedDelivery>()
    let attemptedAt = now()
    const note: NotePart = async (part, outcome) => {
      const durationMs = now().getTime() - attemptedAt.getTime()
      const named = part.told.flatMap((place) => digest.deliveries[place] ?? [])
      const ids = named.map(({ id }) => id)
      const attempt = { outcome, attemptedAt, durationMs, nextDelaySeconds: null }
      if (!(await settlePart(db, holder, digest, { number: part.number, ids }, attempt))) return false
      for (const delivery of named) {
        told.add(delivery)
        deps.note?.(delivery, 'sent', durationMs)
      }
      attemptedAt = now()
      return true
    }
    const settled = await tried(leader, signal, () => send(digest, note))
    if (!settled) return
    for (const delivery of digest.deliveries) {
      if (!told.has(delivery)) deps.note?.(delivery, settled.kind, settled.durationMs)
    }
    await keepMove(digest.leader, settled.outcome)
    const isGone = isBrowserGone(digest.leader, settled.outcome)
    const outcome = isGone ? withEnd(settled.outcome) : settled.outcome
    await settleDigest(db, holder, digest, { ...settled, outcome, attemptedAt })
    if (isGone) await endContact(digest.leader)
  }

  /** The next attempt, which comes at once, finds the contact at its new address. */
  async function keepMove(delivery: ClaimedDelivery, outcome: DeliveryOutcome) {
    const { teamId, contactId, config: from } = delivery
    if (outcome.kind !== 'moved' || contactId === null || from === null) return
    const config = movedConfig(delivery, outcome.config)
    if (config) await moveContact(db, vault, { teamId, contactId, from, config })
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
    const kind = givesUp ? ('gave up' as const) : outcome.kind === 'moved' ? 'retry' : outcome.kind
    return { outcome, attemptedAt, durationMs, nextDelaySeconds, kind }
  }

  /** Null when it is not tried again. */
  function secondsToRetry(delivery: ClaimedDelivery, outcome: DeliveryOutcome, at: Date): number | null {
    if (outcome.kind === 'moved') {
      const isValid = movedConfig(delivery, outcome.config) !== null
      return isValid && isWorthFollowing(delivery.attempts) ? 0 : null
    }
    const isAlone = delivery.mailboxHash === null
    if (outcome.kind !== 'retry' || (isAlone && isTriedOnce(delivery.alert.event))) return null
    const waitsSince = delivery.heldUntil ?? delivery.createdAt
    const ageSeconds = (at.getTime() - waitsSince.getTime()) / 1_000
    return nextDelaySeconds(delivery.attempts + 1, ageSeconds, outcome.retryAfterSeconds, deps.random())
  }

  return { attemptAlone, attemptDigest }
}

/** The end of the quiet hours that its contact has; null where it may be sent, as what ends the noise of an alert may. */
export function endOfQuiet({ quietHours, alert, claimedAt, inReplyTo }: ClaimedDelivery): Date | null {
  if (isAcknowledgement(alert) && inReplyTo !== null) return null
  return quietUntil(quietHours, alert.event, claimedAt)
}

/** The config with what its service says of it; null where that is none of the type. */
function movedConfig(
  { contactType, config }: ClaimedDelivery,
  changes: Record<string, string>,
): ContactConfig | null {
  const parsed = parseConfig(contactType, { ...config, ...changes })
  return parsed.ok ? parsed.value : null
}

/** A browser that has ended its subscription never takes it up again: its address is of no use, and a person's. */
function isBrowserGone({ contactType }: ClaimedDelivery, outcome: DeliveryOutcome): boolean {
  return isOfBrowser(contactType) && outcome.kind === 'rejected' && outcome.refusesReceiver === true
}

function withEnd(outcome: DeliveryOutcome): DeliveryOutcome {
  return { ...outcome, detail: `${outcome.detail} (${BROWSER_GONE})` }
}

const BROWSER_GONE = 'the browser takes no more alerts from here, so its contact was deleted'
