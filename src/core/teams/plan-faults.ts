import { said } from '../language/said.ts'
import type { FieldError } from '../validation.ts'
import type { PlanName } from './plan.ts'

type Bound = { got: number | null | undefined; plan: PlanName }

/** The fault of a number below what a plan takes; none for a number that was not sent. */
export function belowPlan(field: string, min: number, { got, plan }: Bound): FieldError[] {
  if (got == null || got >= min) return []
  return [
    { field, message: said('must be at least {min} on the {plan} plan, got {got}', { min, plan, got }) },
  ]
}

/** The fault of a number above what a plan takes; none for a number that was not sent. */
export function abovePlan(field: string, max: number, { got, plan }: Bound): FieldError[] {
  if (got == null || got <= max) return []
  return [{ field, message: said('must be at most {max} on the {plan} plan, got {got}', { max, plan, got }) }]
}
