import * as z from 'zod'
import { DAY_MS } from '../history/history-span.ts'

/** The steps that make a service useful to a team, in the order in which most take them. */
export const FIRST_STEPS = ['subject', 'passed', 'contact', 'on_call', 'status_page', 'people'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** One value for each step. */
function ofEachStep<T>(make: (step: FirstStep) => T): Record<FirstStep, T> {
  return Object.fromEntries(FIRST_STEPS.map((step) => [step, make(step)])) as Record<FirstStep, T>
}

export const FirstSteps = z.object({
  /** Whether the overview shows them. */
  is_shown: z.boolean(),
  /** Whether the person who asks does without them. */
  is_hidden: z.boolean(),
  done: z.object(ofEachStep(() => z.boolean())),
})
export type FirstSteps = z.infer<typeof FirstSteps>

/** A team that has not taken a step until then does without it, and is not asked any more. */
const NEW_TEAM_DAYS = 30

/** Steps are shown while one is left, to a team that is new or watches nothing. */
export function firstStepsOf(
  done: FirstSteps['done'],
  createdAt: Date,
  now: Date,
): Pick<FirstSteps, 'is_shown' | 'done'> {
  const isNew = now.getTime() - createdAt.getTime() < NEW_TEAM_DAYS * DAY_MS
  const isLeft = FIRST_STEPS.some((step) => !done[step])
  return { is_shown: isLeft && (isNew || !done.subject), done }
}
