import * as z from 'zod'
import { issueOf, said } from '../language/said.ts'
import { MAX_INT32 } from '../record-id.ts'
import { MAX_SELECTORS, readSelectors } from '../tags/selector.ts'
import { describe } from '../validation.ts'

/** An integer in a query string: decimal digits. */
export function integerParameter(minimum: number, maximum = MAX_INT32) {
  return z
    .string()
    .transform((value, context) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (number >= minimum && number <= maximum) return number
      const filled = { minimum, maximum, got: describe(value) }
      context.addIssue(issueOf(said('must be a whole number from {minimum} to {maximum}, got {got}', filled)))
      return z.NEVER
    })
    .meta({ type: 'integer', minimum, maximum })
}

/** Ids, separated by commas: `3,14,15`. */
export function idsParameter(max: number, isId: (id: string) => boolean = (id) => ID.test(id)) {
  return z.string().transform((value, context) => {
    const ids = value.split(',')
    if (ids.length <= max && ids.every(isId)) return ids
    const filled = { max, got: describe(value) }
    context.addIssue(issueOf(said('must be at most {max} ids such as 3,14, got {got}', filled)))
    return z.NEVER
  })
}

/** The ids of what is chosen of a kind, as numbers. */
export function chosenIds(max: number) {
  return idsParameter(max)
    .transform((ids) => ids.map(Number))
    .optional()
}

const ID = /^[1-9]\d{0,8}$/

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/

/** A time in the format of answers, exact to the millisecond like the times of checks. */
export function instantParameter() {
  return z
    .string()
    .transform((value, context) => {
      const at = new Date(INSTANT.test(value) ? value : Number.NaN)
      if (!Number.isNaN(at.getTime())) return at
      const fault = said('must be a time such as 2026-11-21T09:30:00.123000Z, got {got}', {
        got: describe(value),
      })
      context.addIssue(issueOf(fault))
      return z.NEVER
    })
    .meta({ type: 'string', format: 'date-time' })
}

/** Tags that a subject must carry, separated by commas: `env:prod,team`. */
export function tagsParameter() {
  return z.string().transform((value, context) => {
    const selectors = readSelectors(value)
    if (selectors) return selectors
    context.addIssue(
      issueOf(
        said('must be at most {max} tags or keys of tags, such as env:prod,team, got {got}', {
          max: MAX_SELECTORS,
          got: describe(value),
        }),
      ),
    )
    return z.NEVER
  })
}
