import * as z from 'zod'
import { MAX_ASSERTIONS } from '../expectations/assertion.ts'
import { cutCause, MAX_CAUSE_LENGTH } from '../monitors/cause.ts'
import { type CheckResult, FoundStatus } from '../monitors/check.ts'
import { MonitorType } from '../monitors/monitor.ts'
import { MonitorOptions } from '../monitors/options/monitor-options.ts'
import { HttpMethod } from '../monitors/options/request.ts'
import { MAX_STEP_TIMINGS, StepTiming } from '../monitors/steps/step-timing.ts'
import { MAX_INT32, RecordId } from '../record-id.ts'
import { label } from '../text.ts'
import { FailingAnswer } from './failing-answer.ts'
import { Region } from './region.ts'
import { SLOTS } from './slot.ts'

/**
 * The version of the protocol between remote probe and service; a probe of another version is refused when it joins.
 */
export const PROBE_PROTOCOL = 15
/** A remote probe that cannot reach the service goes on with its last known share, and keeps results, for this long. */
export const ENDURANCE_MS = 11 * 60_000
/** Older results come too late to count. */
export const OLDEST_RESULT_MS = ENDURANCE_MS + 60_000
/** The clock of a remote probe may be this far ahead: it follows ours as well as the answers allow. */
export const CLOCK_TOLERANCE_MS = 2_000
/** A renewal is held up for this long while there is no news. */
export const RENEWAL_HELD_MS = 1_000
export const MAX_RESULTS = 200
export const MAX_RESULTS_BYTES = 2 * 1024 * 1024
/** Answers that failed among the results that a remote probe keeps: so many, as long as can be, fit into one request. */
export const MAX_KEPT_ANSWERS = 60
/** Enough for any other question. */
export const MAX_QUESTION_BYTES = 256 * 1024
/** Characters. */
export const MAX_REFUSAL_LENGTH = 1_000
const MAX_IDS = 25_000
const MAX_CALLS = 500
const MAX_TEAMS = 100
/** The regions that confirm one failure; see TeamConfirmation. */
const MAX_CONFIRMERS = 3
const MAX_MS = 3_600_000
const MAX_OVERRUN_MS = 120_000

/** Why the service refuses a remote probe; all but `lost` and `order` are for its operator to mend. */
export const PROBE_REFUSALS = {
  unauthorized: 401,
  revoked: 403,
  region: 403,
  version: 409,
  crowded: 409,
  /** The membership has ended: join again. */
  lost: 410,
  /** Results before these have not come yet: send those first. */
  order: 409,
  invalid: 422,
  tooLarge: 413,
} as const
export type ProbeRefusalCode = keyof typeof PROBE_REFUSALS

export class ProbeRefusal extends Error {
  readonly code: ProbeRefusalCode
  constructor(code: ProbeRefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

export const ProbeRefusalBody = z.object({
  error: z.enum(Object.keys(PROBE_REFUSALS) as [ProbeRefusalCode, ...ProbeRefusalCode[]]),
  message: z.string().max(MAX_REFUSAL_LENGTH),
})

const membership = z.int().min(1)
/** A region; '' is the region of probers that name none. */
/** Only programs read it. */
const NO_HEX = 'must be of the digits 0 to 9 and a to f, got {got}'

const place = z.union([Region, z.literal('')])
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const slots = z
  .array(
    z
      .int()
      .min(0)
      .max(SLOTS - 1),
  )
  .max(SLOTS)
const milliseconds = z.number().min(0).max(MAX_MS).nullable()

/** An operator's request for a token of remote probes. */
export const ProbeTokenCreate = z.object({
  region: Region,
  name: label(255),
  expires: z.coerce.date<string | null>().nullable().default(null),
  /** The teams whose monitors it is for; none: all teams. */
  teams: z.array(RecordId).max(MAX_TEAMS).default([]),
})

export const ProbeJoin = z.object({
  version: z.int(),
  session: z.uuid(),
  region: Region,
  host: label(255),
  pid: z.int().min(0).max(MAX_INT32),
})
export const ProbeJoined = z.object({ membership, acknowledged: z.int().min(0) })

export const ProbeMember = z.object({ membership })
export const ProbeRenew = z.object({
  membership,
  /** The slots that the probe knows of; see `bitsOfSlots`. */
  known: z
    .string()
    .regex(/^[0-9a-f]*$/, NO_HEX)
    .length(SLOTS / 4)
    .optional(),
})
export const ProbeRenewal = z.object({
  /** How long the answer was held up before the membership was renewed. */
  heldMs: z.number().min(0).max(MAX_MS),
  databaseMs: z.number(),
  turns: z
    .object({
      number: z.int(),
      before: z.array(z.string()),
      regions: z.array(z.string()),
      effectiveAtMs: z.number(),
      reserved: z.array(z.string()).optional(),
    })
    .nullable(),
  /** Null: those that the probe knows of. */
  slots: slots.nullable(),
  wanted: slots,
  others: z.int().min(0),
  isAsked: z.boolean(),
  /** Monitors to read again; null when it is not known which. */
  changed: z.array(RecordId).nullable(),
})

export const ProbeSchedule = z.object({
  membership,
  slots,
  /** Only these monitors, or those that changed lately or wait for a check; all of them when absent. */
  changes: z.union([z.array(RecordId).max(MAX_IDS), z.enum(['recent', 'waiting'])]).optional(),
})

/** A monitor as its prober knows it: nothing about its team but the number, nothing about contacts, secrets in the clear. */
const ProbeMonitor = z.object({
  id: RecordId,
  revision: z.int(),
  type: MonitorType,
  /** Places are shared by this; 0 from a service that does not say it. */
  team_id: z.int().default(0),
  url: z.string().nullable(),
  interval_seconds: z.int().min(1),
  http_method: HttpMethod,
  expected_status_codes: z.array(z.int()),
  expected_keyword: z.string().nullable(),
  port: z.int().nullable(),
  request_timeout_seconds: z.int().min(1),
  request_headers: z.string().nullable(),
  username: z.string().nullable(),
  password: z.string().nullable(),
  ssl_expiry_warning_days: z.int(),
  options: MonitorOptions.nullable(),
  last_checked_at: time.nullable(),
  check_requested_at: time.nullable(),
  pending: z.boolean(),
  up: z.boolean(),
  heartbeat_due_at: z.null(),
  next_attempt_at: time.nullable(),
  slot: z.int(),
  changed_at: time,
  confirmations: z.int(),
  recovery_checks: z.int(),
  own_regions: z.array(z.string()),
  due_from: time.nullable(),
  cut: z.boolean(),
})
const ProbeStopped = z.object({ id: RecordId, revision: z.int(), stopped: z.literal(true) })
export const ProbeMonitors = z.object({ monitors: z.array(z.union([ProbeStopped, ProbeMonitor])) })

/** Without `due_from` the slots go on as they came. */
export const ProbeHandOver = z.object({
  membership,
  slots,
  due_from: time.nullable(),
  cut: z.array(RecordId).max(MAX_IDS),
})
export const ProbeKeptSlots = z.object({ kept: slots })

export const ProbeOverruns = z.object({
  membership,
  action: z.enum(['busy', 'claim', 'end']),
  calls: z.array(z.object({ id: RecordId, ms: z.int().min(0).max(MAX_OVERRUN_MS) })).max(MAX_CALLS),
})
export const ProbeOverrun = z.object({ answers: z.array(z.boolean()) })

/** The result of one attempt, without the address of the target, which stays with the probe. */
const SentResult = z.object({
  status: FoundStatus,
  responseTimeMs: z.int().min(0).max(MAX_MS).nullable(),
  /** Servers also say 099, or 000. */
  httpStatusCode: z.int().min(0).max(999).nullable(),
  errorMessage: z
    .string()
    .max(2 * MAX_CAUSE_LENGTH)
    .transform((text) => cutCause(text))
    .nullable(),
  note: z
    .string()
    .max(2 * MAX_CAUSE_LENGTH)
    .transform((text) => cutCause(text))
    .optional(),
  phases: z
    .object({
      dnsMs: milliseconds,
      connectMs: milliseconds,
      tlsMs: milliseconds,
      firstByteMs: milliseconds,
      transferMs: milliseconds,
    })
    .nullable(),
  steps: z.array(StepTiming).max(MAX_STEP_TIMINGS).optional(),
  certificate: z
    .object({ expiresAt: time, fingerprint: z.string().regex(/^[0-9a-f]{64}$/, NO_HEX) })
    .nullable(),
  unmet: z.boolean().optional(),
  unmetAt: z.int().min(0).max(MAX_ASSERTIONS).optional(),
  expiry: z
    .string()
    .max(2 * MAX_CAUSE_LENGTH)
    .transform((text) => cutCause(text))
    .optional(),
  /** Left out by probes of the release before, and where too many are under way; see `MAX_KEPT_ANSWERS`. */
  answer: FailingAnswer.optional(),
})
export type SentResult = z.infer<typeof SentResult>

export function checkResultOf({
  note,
  answer,
  unmet,
  unmetAt,
  expiry,
  steps,
  ...found
}: SentResult): CheckResult {
  return {
    ...found,
    ...(note !== undefined && { note }),
    ...(steps !== undefined && { steps }),
    ...(unmet !== undefined && { unmet }),
    ...(unmetAt !== undefined && { unmetAt }),
    ...(expiry !== undefined && { expiry }),
    ...(answer !== undefined && { answer }),
  }
}

/** Asks for the known status of monitors of its own, before a failure is confirmed. */
export const ProbeStatusQuery = z.object({ ids: z.array(RecordId).max(MAX_CALLS) })
export const ProbeStatuses = z.object({
  known: z.array(z.object({ status: FoundStatus, passing: z.int() }).nullable()),
})

/** Asks other regions for an attempt at monitors of its own. */
export const ProbeConfirmationRequests = z.object({
  membership,
  wishes: z
    .array(z.object({ id: RecordId, revision: z.int().min(0), regions: z.array(place).max(MAX_CONFIRMERS) }))
    .max(MAX_CALLS),
})
/** The ids of the requested attempts, for each wish. */
export const ProbeConfirmationIds = z.object({ asked: z.array(z.array(z.int())) })

export const ProbeAttemptQuery = z.object({
  ids: z.array(z.int().min(1)).max(MAX_CALLS),
})
export const ProbeAttempts = z.object({
  asked: z.array(
    z.object({
      id: z.int(),
      isTaken: z.boolean(),
      attempt: z.object({ region: place, result: SentResult }).nullable(),
    }),
  ),
})

/** Claims attempts that other regions ask its region for. */
export const ProbeClaim = z.object({
  membership,
  limit: z.int().min(1).max(MAX_RESULTS),
  /** The teams of those under way; see ConfirmationClaims. */
  held: z.array(RecordId).max(MAX_RESULTS).optional(),
})
export const ProbeClaimed = z.object({
  claimed: z.array(z.object({ confirmation: z.int(), monitor: ProbeMonitor })),
})
export const ProbeAnswers = z.object({
  membership,
  answers: z.array(z.object({ confirmation: z.int().min(1), result: SentResult })).max(MAX_RESULTS),
})

export const ProbeResult = z.object({
  /** The membership that the check was begun under. */
  membership,
  monitor_id: RecordId,
  revision: z.int().min(0),
  checked_at: time,
  /** The region whose attempt counts, when another one was asked. */
  seen_from: place.optional(),
  result: SentResult,
})
export type ProbeResult = z.infer<typeof ProbeResult>

export const ProbeResults = z.object({
  session: z.uuid(),
  /** The number of the first of these results in its session, from 1 on, without gaps. */
  first: z.int().min(1),
  results: z.array(ProbeResult).min(1).max(MAX_RESULTS),
})
export const ProbeRecorded = z.object({
  /** The number of the last result of the session that need not be sent again. */
  acknowledged: z.int().min(0),
  refused: z.array(z.object({ monitor_id: z.int(), reason: z.string() })),
})
