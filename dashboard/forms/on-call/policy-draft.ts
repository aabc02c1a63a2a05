import type * as z from 'zod'
import {
  type EscalationPolicy,
  MAX_STEP_MINUTES,
  PolicySettings,
  policyRules,
} from '../../../src/core/on-call/policy.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import type { Controls } from '../controls.ts'
import type { Draft } from '../draft.ts'

export type PolicyBody = z.input<typeof PolicySettings>
/** A step as it is being typed. `id` is of the form alone. */
export type DraftStep = { id: number; after: string; contact_ids: number[]; schedule_id: number | null }

/** Steps are held as JSON, as one value. */
export const POLICY_CONTROLS: Controls = Object.fromEntries(
  ['name', 'steps', 'repeats', 'repeat_every_minutes', 'tags'].map((name) => [
    name,
    { kind: 'text', nullable: false, initial: '' },
  ]),
)
export const POLICY_NAMES = Object.keys(POLICY_CONTROLS)

export function stepsIn({ steps }: Draft): DraftStep[] {
  return JSON.parse(String(steps))
}

export function policyDraft(policy?: EscalationPolicy): Draft {
  const steps: DraftStep[] = policy
    ? policy.steps.map(({ after_minutes, ...step }, id) => ({ ...step, id, after: String(after_minutes) }))
    : [{ id: 0, after: '10', contact_ids: [], schedule_id: null }]
  return {
    name: policy?.name ?? '',
    steps: JSON.stringify(steps),
    repeats: String(policy?.repeats ?? 0),
    repeat_every_minutes: String(policy?.repeat_every_minutes ?? 60),
    tags: policy?.tags.join(', ') ?? '',
  }
}

/** Ten minutes after the last. */
export function nextStep(steps: readonly DraftStep[]): DraftStep {
  const last = Number(steps.at(-1)?.after ?? 0)
  const after = Number.isFinite(last) ? Math.min(last + 10, MAX_STEP_MINUTES) : 10
  const id = Math.max(-1, ...steps.map((step) => step.id)) + 1
  return { id, after: String(after), contact_ids: [], schedule_id: null }
}

export function policyBody(draft: Draft): PolicyBody {
  return {
    name: String(draft.name),
    steps: stepsIn(draft).map(({ after, contact_ids, schedule_id }) => ({
      after_minutes: numberIn(after),
      contact_ids: schedule_id === null ? contact_ids : [],
      schedule_id,
    })),
    repeats: numberIn(draft.repeats),
    repeat_every_minutes: numberIn(draft.repeat_every_minutes),
    tags: splitTags(String(draft.tags)),
  }
}

export function judgePolicy(draft: Draft): Parsed<PolicyBody> {
  const body = policyBody(draft)
  const parsed = parseFields(PolicySettings, body, policyRules)
  return parsed.ok ? { ok: true, value: body } : parsed
}

/** Text that is no number stays text, so that the schema reports it. */
function numberIn(held: unknown): number {
  const text = String(held).trim()
  return (/^-?\d{1,9}$/.test(text) ? Number(text) : text) as number
}
