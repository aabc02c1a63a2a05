import * as z from 'zod'
import { Delivery } from './delivery-log.ts'
import { Incident } from './incident.ts'
import { CheckDetail } from './monitor-report.ts'
import { MonitorBrief } from './status.ts'

/** An incident as a line of a list. */
export const IncidentRow = Incident.extend({ monitor_id: z.int(), monitor_name: z.string() })
export type IncidentRow = z.infer<typeof IncidentRow>

/** All that happened in an incident: the checks from before it to after it, and who was told. */
export const IncidentStory = z.object({
  incident: Incident,
  monitor: MonitorBrief,
  /** Oldest first, bounded: the last ones before it, its first ones, its last ones, and the one that ended it. */
  checks: z.array(CheckDetail),
  /** How many checks of the incident are left out of `checks`. */
  checks_left_out: z.int(),
  /** Oldest first, each with its attempts. */
  deliveries: z.array(Delivery),
})
export type IncidentStory = z.infer<typeof IncidentStory>

export const IncidentState = z.enum(['open', 'resolved'])
export type IncidentState = z.infer<typeof IncidentState>
