import type { Alert } from '../core/alerting/alert.ts'
import type { ContactConfigs, ContactType } from '../core/alerting/contact-types.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import { shownTexts } from '../core/language/hidden-characters.ts'
import type { Sending } from './channel.ts'
import { CAPACITIES, type Channels, send } from './channels.ts'
import { type Capacity, partsOfGroup, worstOf } from './text/group.ts'

export type AlertGroup = {
  /** At least one, oldest first. */
  alerts: Alert[]
  /** The alerts that the messages before told. */
  told: Alert[]
  siteUrl: string
  acknowledgeUrl: string | undefined
  /** The messages of this group that the receiver has already. */
  accepted: number
  /** Keeps what the receiver has taken, before the next message goes. False: go no further. */
  note: (part: { number: number; told: number[] }, outcome: DeliveryOutcome) => Promise<boolean>
}

/**
 * Tells several alerts in the messages that its channel needs for them, one after the other. Each has an id of its own,
 * which stays the same when it is tried again. Returns the outcome of the last one that was tried; never throws for a
 * receiver.
 */
export async function sendGroup<Type extends ContactType>(
  channels: Channels,
  type: Type,
  sending: Sending<ContactConfigs[Type]>,
  { alerts, note, ...facts }: AlertGroup,
): Promise<DeliveryOutcome> {
  const parts = partsOfGroup(shownTexts(alerts), CAPACITIES[type] ?? UNBOUNDED, {
    ...facts,
    timeZone: sending.timeZone,
  })
  const alert = worstOf([...facts.told, ...alerts])
  let outcome: DeliveryOutcome = { kind: 'sent', statusCode: null, detail: 'nothing was left to tell' }
  for (const { message, told, number, of } of parts) {
    const messageId = number === 1 ? sending.messageId : `${sending.messageId}-${number}`
    outcome = await send(channels, type, { ...sending, messageId, alert, group: message })
    if (of > 1) outcome = { ...outcome, detail: `${outcome.detail} (message ${number} of ${of})` }
    if (outcome.kind !== 'sent' || number === of) break
    if (!(await note({ number, told }, outcome))) break
  }
  return outcome
}

/** A type that takes each alert alone: nothing is grouped for it. */
const UNBOUNDED: Capacity = { messages: 1, holds: () => true }
