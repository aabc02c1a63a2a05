import * as z from 'zod'
import { formatInstant, Instant } from './instant.ts'
import { canAddMonitor, type Plan, PlanName } from './plan.ts'

/** A team as `GET /team` shows it, in this order (product, section 4). */
export const Team = z.object({
  id: z.int(),
  name: z.string(),
  plan: PlanName,
  max_monitors: z.int().nullable(),
  monitors_count: z.int(),
  can_add_monitor: z.boolean(),
  min_interval_minutes: z.int(),
  min_interval_seconds: z.int(),
  check_history_days: z.int().nullable(),
  members_count: z.int(),
  notification_contacts_count: z.int(),
  created_at: Instant,
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
