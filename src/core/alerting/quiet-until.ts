import { ifReadable } from '../maintenance/cover.ts'
import { hoursEndAfter } from '../on-call/rotation.ts'
import type { AlertEvent } from './alert.ts'
import type { QuietHours } from './quiet-hours.ts'

/**
 * The end of the quiet hours in which an alert of this event may not be sent at an instant; null where it may. Tests and
 * drills are always sent. Hours of a zone that this machine does not know are not quiet.
 */
export function quietUntil(rule: QuietHours | null, event: AlertEvent, at: Date): Date | null {
  if (rule === null || event === 'test' || (rule.except_down && event.endsWith('.down'))) return null
  const endMs = ifReadable(() => hoursEndAfter(rule.hours, rule.time_zone, at.getTime()))
  return endMs === null ? null : new Date(endMs)
}
