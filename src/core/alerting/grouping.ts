import { type Alert, isAcknowledgement } from './alert.ts'
import { type ContactType, isForPrograms } from './contact-types.ts'

/** An alert that comes so soon after another to the same contact waits to be sent with those that follow. */
export const GROUP_WINDOW_SECONDS = 60

/** How long alerts wait to be sent together: until none has come for a while, and no longer than a bound. */
export type GroupPace = { quietSeconds: number; atMostSeconds: number }

/** The first group of a storm goes out soon; those that follow it collect for longer. */
export const FIRST_GROUP: GroupPace = { quietSeconds: 5, atMostSeconds: 60 }
export const NEXT_GROUP: GroupPace = { quietSeconds: 20, atMostSeconds: 180 }
/** This long after a group the next alert is a first one again. */
export const STORM_ENDS_AFTER_SECONDS = 300

/** Alerts of a contact that share a window: trouble never makes the news that something works again wait. */
export type GroupKind = 'trouble' | 'recovery'

/**
 * Null where each alert goes alone: programs take one subject a request, a person waits for a test, and an
 * acknowledgement is to stop what rings.
 */
export function groupKindOf(
  type: ContactType,
  alert: Pick<Alert, 'event' | 'acknowledged'>,
): GroupKind | null {
  const { event } = alert
  if (isForPrograms(type) || event === 'test' || isAcknowledgement(alert)) return null
  return event.endsWith('.recovery') ? 'recovery' : 'trouble'
}
