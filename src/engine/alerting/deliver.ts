import { groupKindOf } from '../../core/alerting/grouping.ts'
import { ALERTS_PER_HOUR } from '../../core/alerting/mailbox.ts'
import type { Loop, LoopReports } from '../../postgres/loop.ts'
import { isMembersAddress, releaseContacts } from '../../store/alerting/agreements.ts'
import { type ClaimedDelivery, claimDeliveries, queuedDeliveries } from '../../store/alerting/deliveries.ts'
import { deferToGroup, groupHash, putOffWithGroup, reserveAlone } from '../../store/alerting/groups.ts'
import {
  type Digest,
  deferToDigest,
  isForMailbox,
  mailboxHash,
  reserveMail,
} from '../../store/alerting/mailboxes.ts'
import { dropUntold, keepQuiet } from '../../store/alerting/quiet-hours.ts'
import type { Claimable } from '../../store/claims.ts'
import {
  type AttemptDependencies,
  createAttempts,
  endOfQuiet,
  type NotePart,
  type Send,
  type SendDigest,
  type SendGroup,
} from './attempts.ts'
import { startClaimLoop } from './claim-loop.ts'

/**
 * Sends deliveries that are due: claims rows, hands each to its channel, and writes the outcome. Mail to one address is
 * bounded: alerts over the bound go as one digest. Alerts that come within a minute go to a contact as one message. In the
 * quiet hours of a contact nothing is sent to it: an alert that waits with others leaves them, and is held or dropped.
 */
export function createDeliverer(
  deps: AttemptDependencies & {
    send: Send
    sendDigest: SendDigest
    sendGroup: SendGroup
    /** Whether an address outside the team must have agreed to alerts: true where sign-up is open. */
    wantsAgreement: boolean
  } & LoopReports,
): Loop {
  const { db, vault, holder } = deps
  const { attemptAlone, attemptDigest } = createAttempts(deps)

  async function attempt(delivery: ClaimedDelivery, signal: AbortSignal) {
    const quiet = delivery.mailboxHash === null ? endOfQuiet(delivery) : null
    if (delivery.isUntold) return dropUntold(db, holder, delivery.id)
    if (quiet !== null) {
      const isKept = await keepQuiet(db, holder, delivery, quiet)
      return isKept ? undefined : queuedDeliveries.release(db, holder, [delivery.id])
    }
    const address = mailAddressOf(delivery)
    if (address !== null && !(await mayMail(delivery, address))) {
      return attemptAlone(delivery, signal, refuseUnasked)
    }
    if (delivery.mailboxHash !== null) return attemptTogether(delivery, delivery.mailboxHash, address, signal)
    const { contactId } = delivery
    const kind = groupKindOf(delivery.contactType, delivery.alert)
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

  /** Attempts what waits for the digest of a mailbox, or with the group of its contact. */
  async function attemptTogether(
    delivery: ClaimedDelivery,
    waitsFor: Buffer,
    address: string | null,
    signal: AbortSignal,
  ) {
    const { id, contactId } = delivery
    if (contactId === null || !waitsFor.equals(groupHash(contactId))) {
      const isFor = (one: ClaimedDelivery) => isForMailbox(one, waitsFor)
      return attemptDigest(delivery, waitsFor, isFor, (digest) => deps.sendDigest(digest, signal), signal)
    }
    if (await putOffWithGroup(db, holder, { id, contactId })) return
    const isFor = (one: ClaimedDelivery) => one.contactId === contactId && one.config !== null
    const send = (digest: Digest, note: NotePart) => deps.sendGroup(digest, note, signal)
    const isTried = delivery.attempts > 0
    const mailbox = address === null || isTried ? null : mailboxHash(address)
    await attemptDigest(delivery, waitsFor, isFor, send, signal, mailbox)
  }

  /** A person who confirmed the address, or joined, after the contact was made has agreed by that. */
  async function mayMail({ unagreedHash, teamId }: ClaimedDelivery, address: string): Promise<boolean> {
    if (!deps.wantsAgreement || unagreedHash === null) return true
    if (!(await isMembersAddress(db.query, teamId, address))) return false
    await releaseContacts(db.query, teamId, unagreedHash)
    return true
  }

  const rows: Claimable<ClaimedDelivery> = {
    ...queuedDeliveries,
    claim: (_db, claim) => claimDeliveries(db, vault, claim),
  }
  return startClaimLoop({ ...deps, rows, capacity: 'alerts', attempt })
}

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
