import * as z from 'zod'
import { describe } from '../core/validation.ts'

const LARGEST = 2_147_483_647

/** A whole number as a query carries it: decimal digits. */
export function integerParameter(minimum: number, maximum = LARGEST) {
  return z
    .string()
    .transform((value, context) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (number >= minimum && number <= maximum) return number
      context.addIssue(`must be a whole number from ${minimum} to ${maximum}, got ${describe(value)}`)
      return z.NEVER
    })
    .meta({ type: 'integer', minimum, maximum })
}
