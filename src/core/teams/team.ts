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
  max_monitors: Plan.shape.max_monitors.describe('How many monitors the plan allows; null: any number.'),
  monitors_count: z.int().min(0).describe('How many monitors there are, paused ones included.'),
  can_add_monitor: z.boolean().describe('Whether one more monitor is allowed.'),
  min_interval_minutes: Plan.shape.min_interval_minutes.describe('Least `check_interval_minutes`.'),
  min_interval_seconds: Plan.shape.min_interval_seconds.describe('Least `check_interval_seconds`.'),
  check_history_days: Plan.shape.check_history_days.describe('Days that checks are kept; null: for ever.'),
  members_count: z.int().min(0).describe('How many people the team has.'),
  notification_contacts_count: z.int().min(0).describe('How many notification contacts there are.'),
  created_at: Instant.describe('When the team was made.'),
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
