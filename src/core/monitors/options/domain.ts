import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import type { MonitorType } from '../monitor-types.ts'
import type { Option } from './option.ts'

const MAX_DAYS = 365
/** As sites warn first. */
export const DEFAULT_WARNING_DAYS = 30

/** Whether a check of this type asks a registry about a domain. */
export function asksRegistries(type: MonitorType): boolean {
  return type === 'domain'
}

/** The option of what is expected of the registration of a domain. */
export const DOMAIN = {
  warning_days: {
    schema: z.int().min(1).max(MAX_DAYS),
    description: 'Days before the registration ends from which the monitor is `degraded`.',
    group: 'expectations',
    label: phrase('Warn before the registration ends'),
    hint: phrase('In days, 1 to 365. Without a value, 30.'),
    has: asksRegistries,
    default: DEFAULT_WARNING_DAYS,
  },
} as const satisfies Record<string, Option>
