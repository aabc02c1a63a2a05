import * as z from 'zod'
import { phrase } from '../language/phrase.ts'

export const REGION_TAKES = '1 to 16 characters of a-z, 0-9 and -'

/** The place that a process checks from. */
export const Region = z
  .string()
  .regex(/^[a-z0-9-]{1,16}$/, phrase('must be 1 to 16 characters of a-z, 0-9 and -, got {got}'))
