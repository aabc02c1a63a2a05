import * as z from 'zod'

/**
 * The documents of Statuspage's status API as Atlassian documents them, strict in both directions: nothing is missing and
 * nothing is there that a reader does not know. The documentation is what every page of theirs shows at /api.
 */
/** A letter first, as Statuspage's have: one reader there is makes dates of texts such as `2027`. */
const id = z
  .string()
  .regex(/^[a-z]/)
  .max(100)
const time = z.iso.datetime({ offset: true })

const page = z.strictObject({
  id,
  name: z.string().min(1),
  url: z.url(),
  time_zone: z.string(),
  updated_at: time,
})

const status = z.strictObject({
  indicator: z.enum(['none', 'minor', 'major', 'critical']),
  description: z.string().min(1),
})

const ComponentStatus = z.enum([
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
])

const ofAll = {
  id,
  name: z.string().min(1),
  status: ComponentStatus,
  created_at: time,
  updated_at: time,
  position: z.int().min(1),
  description: z.string().min(1).nullable(),
  showcase: z.boolean(),
  start_date: z.iso.date().nullable(),
  group_id: id.nullable(),
  page_id: id,
  only_show_if_degraded: z.boolean(),
}
const component = z.discriminatedUnion('group', [
  z.strictObject({ ...ofAll, group: z.literal(false) }),
  z.strictObject({ ...ofAll, group: z.literal(true), group_id: z.null(), components: z.array(id) }),
])

function update<S extends z.ZodType>(phase: S) {
  return z.strictObject({
    id,
    status: phase,
    body: z.string(),
    incident_id: id,
    created_at: time,
    updated_at: time,
    display_at: time,
    affected_components: z
      .array(
        z.strictObject({
          code: id,
          name: z.string().min(1),
          old_status: ComponentStatus,
          new_status: ComponentStatus,
        }),
      )
      .min(1)
      .nullable(),
    deliver_notifications: z.boolean(),
    custom_tweet: z.null(),
    tweet_id: z.null(),
  })
}

function post<S extends z.ZodType, I extends z.ZodType>(phase: S, impact: I) {
  return {
    id,
    name: z.string().min(1),
    status: phase,
    impact,
    created_at: time,
    updated_at: time,
    started_at: time,
    monitoring_at: time.nullable(),
    resolved_at: time.nullable(),
    shortlink: z.url(),
    page_id: id,
    reminder_intervals: z.null(),
    incident_updates: z.array(update(phase)).min(1),
    components: z.array(component),
  }
}

const IMPACTS = ['none', 'minor', 'major', 'critical'] as const
const OPEN = ['investigating', 'identified', 'monitoring'] as const
const RUNNING = ['in_progress', 'verifying'] as const

function incidents(phases: readonly string[]) {
  return z
    .array(
      z.strictObject(
        post(
          z.enum(['investigating', 'identified', 'monitoring', 'resolved', 'postmortem']),
          z.enum(IMPACTS),
        ),
      ),
    )
    .refine((all) => all.every((one) => phases.includes(one.status)))
}

function maintenances(phases: readonly string[]) {
  return z
    .array(
      z.strictObject({
        ...post(
          z.enum(['scheduled', 'in_progress', 'verifying', 'completed']),
          z.enum([...IMPACTS, 'maintenance']),
        ),
        scheduled_for: time,
        scheduled_until: time,
      }),
    )
    .refine((all) => all.every((one) => phases.includes(one.status)))
}

const coming = ['scheduled', ...RUNNING]
const components = z.array(component)

export const AtlassianSummary = z.strictObject({
  page,
  components,
  incidents: incidents(OPEN),
  scheduled_maintenances: maintenances(coming),
  status,
})
export const AtlassianIncidents = z.strictObject({
  page,
  incidents: incidents([...OPEN, 'resolved', 'postmortem']),
})
export const AtlassianMaintenances = z.strictObject({
  page,
  scheduled_maintenances: maintenances([...coming, 'completed']),
})

export const ATLASSIAN_SCHEMAS = {
  'api/v2/summary.json': AtlassianSummary,
  'api/v2/status.json': z.strictObject({ page, status }),
  'api/v2/components.json': z.strictObject({ page, components }),
  'api/v2/incidents.json': AtlassianIncidents,
  'api/v2/incidents/unresolved.json': z.strictObject({ page, incidents: incidents(OPEN) }),
  'api/v2/scheduled-maintenances.json': AtlassianMaintenances,
  'api/v2/scheduled-maintenances/upcoming.json': z.strictObject({
    page,
    scheduled_maintenances: maintenances(['scheduled']),
  }),
  'api/v2/scheduled-maintenances/active.json': z.strictObject({
    page,
    scheduled_maintenances: maintenances(RUNNING),
  }),
}
