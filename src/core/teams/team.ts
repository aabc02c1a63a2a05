import * as z from 'zod'
import { formatInstant, Instant } from '../instant.ts'
import { RecordId } from '../record-id.ts'
import { MAX_NAME_LENGTH } from '../text.ts'
import { canAddMonitor, Plan, PlanName } from './plan.ts'

/** A team in the answer of `GET /team`, with its fields in this order. */
export const Team = z.object({
  id: RecordId,
  name: z.string().meta({ maxLength: MAX_NAME_LENGTH }).describe("The team's name."),
  plan: PlanName,
  max_monitors: Plan.shape.max_monitors.describe('Monitors that the plan allows; null: unlimited.'),
  monitors_count: z.int().min(0).describe('Number of monitors, paused ones included.'),
  can_add_monitor: z.boolean().describe('Whether another monitor can be created.'),
  min_interval_minutes: Plan.shape.min_interval_minutes.describe('Smallest `check_interval_minutes`.'),
  min_interval_seconds: Plan.shape.min_interval_seconds.describe('Smallest `check_interval_seconds`.'),
  check_history_days: Plan.shape.check_history_days.describe('Days that checks are kept; null: forever.'),
  members_count: z.int().min(0).describe('Number of people in the team.'),
  notification_contacts_count: z.int().min(0).describe('Number of notification contacts.'),
  created_at: Instant.describe('When the team was created.'),
})
export type Team = z.infer<typeof Team>

export type TeamUsage = {
  id: number
  name: string
  plan: PlanName
  monitorsCount: number
  membersCount: number
  contactsCount: number
  createdAt: Date
}

export function presentTeam(team: TeamUsage, plan: Plan): Team {
  return {
    id: team.id,
    name: team.name,
    plan: team.plan,
    max_monitors: plan.max_monitors,
    monitors_count: team.monitorsCount,
    can_add_monitor: canAddMonitor(plan, team.monitorsCount),
    min_interval_minutes: plan.min_interval_minutes,
    min_interval_seconds: plan.min_interval_seconds,
    check_history_days: plan.check_history_days,
    members_count: team.membersCount,
    notification_contacts_count: team.contactsCount,
    created_at: formatInstant(team.createdAt),
  }
}
