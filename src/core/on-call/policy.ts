import * as z from 'zod'
import { FlapRule } from '../alerting/flapping.ts'
import { Instant } from '../instant.ts'
import { said } from '../language/said.ts'
import { ofEachField } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import { TagSelectors } from '../tags/tag.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import type { FieldError } from '../validation.ts'

export const MAX_POLICIES = 100
export const MAX_STEPS = 10
export const MAX_STEP_CONTACTS = 20
export const MAX_STEP_MINUTES = 1_440
export const MAX_REPEATS = 9
export const MAX_REPEAT_EVERY_MINUTES = 2_880

/** Whom to alert when nobody has acknowledged an incident for so long: contacts, or those on call by a schedule. */
export const PolicyStep = z.object({
  after_minutes: z
    .int()
    .min(0)
    .max(MAX_STEP_MINUTES)
    .describe('Minutes from the opening of the incident, unless it is acknowledged before.'),
  contact_ids: z.array(RecordId).max(MAX_STEP_CONTACTS).default([]).describe('Contacts to alert.'),
  schedule_id: RecordId.nullable()
    .default(null)
    .describe('The schedule whose person on call to alert; null for none.'),
})
export type PolicyStep = z.infer<typeof PolicyStep>

export const PolicySettings = z.object({
  name: label(MAX_NAME_LENGTH).describe('Name of the policy.'),
  steps: z.array(PolicyStep).min(1).max(MAX_STEPS).describe('Steps, the earliest first.'),
  repeats: z
    .int()
    .min(0)
    .max(MAX_REPEATS)
    .default(0)
    .describe('How many more times all steps are taken while nobody acknowledges.'),
  repeat_every_minutes: z
    .int()
    .min(1)
    .max(MAX_REPEAT_EVERY_MINUTES)
    .default(60)
    .describe('Minutes after which the steps begin again, if they are repeated.'),
  tags: TagSelectors.default([]).describe(
    'Also the policy of monitors, servers and sites that carry all of these tags and have none of their own.',
  ),
})
export type PolicySettings = z.infer<typeof PolicySettings>

/** The steps of a policy and their repetition, without its name. */
export const PolicyChain = PolicySettings.pick({ steps: true, repeats: true, repeat_every_minutes: true })
export type PolicyChain = z.infer<typeof PolicyChain>

/** The policy that a subject has of its own; without one, that of its tags applies. */
export const OwnPolicy = z.object({
  policy_id: RecordId.nullable().describe('ID of the escalation policy; null for none of its own.'),
})
export type OwnPolicy = z.infer<typeof OwnPolicy>

/** The policy of a subject's own, and the one that applies, by its tags otherwise. */
export const AppliedPolicy = z.object({
  policy_id: z.int().nullable(),
  applies: z.object({ id: z.int(), name: z.string() }).nullable(),
})
export type AppliedPolicy = z.infer<typeof AppliedPolicy>

/** A policy in answers, with how many subjects name it. */
export const EscalationPolicy = PolicySettings.extend({
  id: z.int(),
  created_at: Instant,
  ...ofEachField('s_count', () => z.int()),
})
export type EscalationPolicy = z.infer<typeof EscalationPolicy>

/** Rules across the fields of a policy. */
export function policyRules({
  steps,
  repeats = 0,
  repeat_every_minutes,
}: Partial<PolicySettings>): FieldError[] {
  if (!steps) return []
  const errors = steps.flatMap((step, index): FieldError[] => {
    const before = steps[index - 1]
    // Where another field is wrong, steps come without their defaults.
    const hasContacts = (step.contact_ids ?? []).length > 0
    const hasSchedule = (step.schedule_id ?? null) !== null
    return [
      ...(!hasContacts && !hasSchedule
        ? [
            {
              field: `steps.${index}.contact_ids`,
              message: said('must name a contact, unless the step has a schedule, got []'),
            },
          ]
        : []),
      ...(hasContacts && hasSchedule
        ? [{ field: `steps.${index}.schedule_id`, message: said('must be null where the step has contacts') }]
        : []),
      ...(before && before.after_minutes >= step.after_minutes
        ? [
            {
              field: `steps.${index}.after_minutes`,
              message: said('must be more than those of the step before ({minutes}), got {got}', {
                minutes: before.after_minutes,
                got: step.after_minutes,
              }),
            },
          ]
        : []),
    ]
  })
  const last = steps.at(-1)?.after_minutes ?? 0
  if (repeats > 0 && repeat_every_minutes !== undefined && repeat_every_minutes <= last) {
    errors.push({
      field: 'repeat_every_minutes',
      message: said('must be more than after_minutes of the last step ({minutes}), got {got}', {
        minutes: last,
        got: repeat_every_minutes,
      }),
    })
  }
  return errors
}

export const MIN_REMINDER_MINUTES = 5
export const MAX_REMINDER_MINUTES = 1_440

/** A team's settings of how often it hears of one incident, and of one subject. */
export const OnCallSettings = z.object({
  reminder_minutes: z
    .int()
    .min(MIN_REMINDER_MINUTES)
    .max(MAX_REMINDER_MINUTES)
    .nullable()
    .describe('Minutes between reminders of an incident that is open and not acknowledged; null for none.'),
  flapping: FlapRule.nullable().describe(
    'Changes that make one alert that something is flapping, and one once it is steady again; null: each change has its alert.',
  ),
})
export type OnCallSettings = z.infer<typeof OnCallSettings>

export const OnCallSettingsPatch = OnCallSettings.partial()
export type OnCallSettingsPatch = z.infer<typeof OnCallSettingsPatch>
