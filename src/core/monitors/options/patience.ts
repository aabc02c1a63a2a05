import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueAt, said } from '../../language/said.ts'
import { RecordId } from '../../record-id.ts'
import type { TeamConfirmation } from '../confirmation.ts'
import { hasInterval, MONITOR_TYPES, type MonitorType } from '../monitor-types.ts'
import type { Option } from './option.ts'

export const MAX_ATTEMPTS = 10
const DEFAULT_RETRY_SECONDS = 20
export const MAX_RETRY_SECONDS = 3_600
export const MAX_RECOVERY_CHECKS = 10
export const MAX_REPEAT_MINUTES = 1_440

export const MAX_PARENTS = 20

const Parents = z
  .array(RecordId.meta({ format: 'monitor' }))
  .min(1)
  .max(MAX_PARENTS)
  .superRefine((ids, context) => {
    ids.forEach((id, index) => {
      if (ids.indexOf(id) < index)
        context.addIssue(issueAt([index], said('must not repeat {code}', { code: String(id) })))
    })
  })

const every = () => true
/** A group says itself how many of its members must be up, and is judged as soon as one of them is; the word of a person counts. */
const ofItself = hasInterval
/** A heartbeat that did not come cannot be tried again. */
const ifProbed = (type: MonitorType) => MONITOR_TYPES[type].isProbed

/** Options of how soon a failure counts, and how often it is told. */
export const PATIENCE = {
  attempts: {
    schema: z.int().min(1).max(MAX_ATTEMPTS),
    description:
      "Attempts in a row that must fail before the check fails; until then it is `pending` and the status stays as it is. An assertion that only warns does so after as many that fail or do not meet it. Overrides the team's confirmation.",
    group: 'patience',
    label: phrase('Attempts before a check fails'),
    hint: phrase('1 to 10. With one, the first failure counts. Replaces the confirmation of the team.'),
    has: ifProbed,
    default: null,
  },
  retry_seconds: {
    schema: z.int().min(1).max(MAX_RETRY_SECONDS),
    description: 'Seconds from a failed attempt to the next one.',
    group: 'patience',
    label: phrase('Time between attempts'),
    hint: phrase('Up to 1 hour. Without a value, 20 seconds.'),
    unit: 'seconds',
    has: ifProbed,
    default: DEFAULT_RETRY_SECONDS,
  },
  recovery_checks: {
    schema: z.int().min(1).max(MAX_RECOVERY_CHECKS),
    description:
      "Checks in a row that must pass before a monitor that is down is up again, or meet an assertion that warned. Overrides the team's setting.",
    group: 'patience',
    label: phrase('Passing checks before it is up again'),
    hint: phrase('1 to 10. Replaces the setting of the team.'),
    has: ofItself,
    default: null,
  },
  inverted: {
    schema: z.boolean(),
    description: 'Up when the check fails, and down when it passes.',
    group: 'patience',
    label: phrase('Upside down'),
    hint: phrase('Up when the check fails, and down when it passes.'),
    has: ofItself,
    default: false,
  },
  repeat_minutes: {
    schema: z.int().min(1).max(MAX_REPEAT_MINUTES),
    description:
      "Minutes after which contacts are alerted again while the monitor is down and not acknowledged. Overrides the team's reminders.",
    group: 'patience',
    label: phrase('Alert again after'),
    hint: phrase(
      'Up to 1 day, while it is down and nobody has acknowledged it. Replaces the reminders of the team.',
    ),
    unit: 'minutes',
    has: every,
    default: null,
  },
  depends_on: {
    schema: Parents,
    description:
      'IDs of up to 20 monitors of the team. While one of them is down, or one that it depends on in turn, alerts of this monitor wait; they are sent if it is still down after that.',
    group: 'patience',
    label: phrase('Depends on'),
    hint: phrase('Up to 20 monitors. While one of them is down, alerts of this one wait.'),
    has: every,
    default: null,
  },
} as const satisfies Record<string, Option>

type PatienceOptions = {
  [Key in keyof typeof PATIENCE]?: z.infer<(typeof PATIENCE)[Key]['schema']> | undefined
}

/** How many failures and passes count, and how. */
export type MonitorPatience = TeamConfirmation & {
  /** Null: not set, so that confirmation decides. */
  attempts: number | null
  retryMs: number
  isInverted: boolean
}

/** The patience with a monitor: its own, or that of its team. */
export function patienceOf(
  options: PatienceOptions | null | undefined,
  team: TeamConfirmation,
): MonitorPatience {
  const attempts = options?.attempts ?? null
  return {
    attempts,
    retryMs: (options?.retry_seconds ?? DEFAULT_RETRY_SECONDS) * 1_000,
    isInverted: options?.inverted ?? false,
    confirmations: attempts === null ? team.confirmations : 0,
    recovery_checks: options?.recovery_checks ?? team.recovery_checks,
  }
}
