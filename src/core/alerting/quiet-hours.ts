import * as z from 'zod'
import { Instant } from '../instant.ts'
import { said } from '../language/said.ts'
import { TimeZone } from '../maintenance/local-time.ts'
import { WEEKDAYS } from '../maintenance/recurrence.ts'
import { LayerHours } from '../on-call/schedule.ts'
import type { FieldError } from '../validation.ts'

/** Hours in which a contact gets no alerts. */
export const QuietHours = z.object({
  time_zone: TimeZone.describe('Time zone of the IANA database whose clocks the hours follow.'),
  hours: LayerHours.describe('The quiet hours.'),
  action: z
    .enum(['hold', 'drop'])
    .describe('Whether alerts wait for the end of the hours, or are never sent.'),
  except_down: z
    .boolean()
    .describe('Whether alerts that something is down are sent all the same.')
    .default(false),
})
export type QuietHours = z.infer<typeof QuietHours>

export const QuietHoursChange = z.object({
  quiet_hours: QuietHours.nullable().describe('The quiet hours; null for none.'),
})
export type QuietHoursChange = z.infer<typeof QuietHoursChange>

export const ContactQuietHours = z.object({
  quiet_hours: QuietHours.nullable(),
  /** Set while it is quiet: when the hours end. */
  quiet_until: Instant.nullable(),
})
export type ContactQuietHours = z.infer<typeof ContactQuietHours>

/** Hours that never end would hold alerts for good. */
export function quietHoursFaults({ quiet_hours: rule }: Partial<QuietHoursChange>): FieldError[] {
  if (!rule || rule.hours.from !== rule.hours.until || new Set(rule.hours.days).size < WEEKDAYS.length)
    return []
  return [
    {
      field: 'quiet_hours.hours.until',
      message: said('must leave some of the week for alerts: these hours never end'),
    },
  ]
}
