import * as z from 'zod'
import { type AnswerPart, Assertions } from '../../expectations/assertion.ts'
import { Instant } from '../../instant.ts'
import { phrase } from '../../language/phrase.ts'
import { TimeZone } from '../../maintenance/local-time.ts'
import { label } from '../../text.ts'
import type { MonitorType } from '../monitor-types.ts'
import { sourceFaults } from './expectations.ts'
import type { Option } from './option.ts'

/*
 * When a job is to call, and what its pings must say. The reader of schedules is not loaded here: forms and documents need
 * the shapes alone, and the service refuses what cannot be read.
 */

const MAX_SCHEDULE_LENGTH = 200
const MAX_ZONE_LENGTH = 64
const MAX_EXIT_STATUS = 255
const MAX_EXIT_STATUSES = 50
/** A start counts for a day. */
const MAX_DURATION_SECONDS = 86_400
export const MAX_GRACE_SECONDS = 86_400
/** Where a schedule is set. */
export const DEFAULT_GRACE_SECONDS = 300

/** As it was given: documents cannot say what a schema makes of a value. */
const ZoneName = label(MAX_ZONE_LENGTH).superRefine((name, context) => {
  const [issue] = TimeZone.safeParse(name).error?.issues ?? []
  if (issue) context.issues.push({ ...issue, input: name } as z.core.$ZodRawIssue)
})

const OF_PINGS: readonly AnswerPart[] = ['json', 'body']

const ofJobs = (type: MonitorType) => type === 'heartbeat'

/** Options of heartbeats. */
export const HEARTBEATS = {
  schedule: {
    schema: label(MAX_SCHEDULE_LENGTH),
    description:
      'When the job runs, instead of the interval: cron of five fields, or `OnCalendar` of systemd. Each time needs a ping.',
    group: 'job',
    label: phrase('Job schedule'),
    hint: phrase(
      'In place of the interval: as in a crontab, 0 3 * * 1-5, or as OnCalendar of systemd, Mon..Fri 03:00.',
    ),
    has: ofJobs,
    default: null,
  },
  timezone: {
    schema: ZoneName,
    description: 'The time zone of the schedule.',
    group: 'job',
    label: phrase('Time zone of the schedule'),
    hint: phrase('Such as Europe/Berlin. Without a value, UTC.'),
    isZone: true,
    has: ofJobs,
    default: 'UTC',
  },
  grace_seconds: {
    schema: z.int().min(0).max(MAX_GRACE_SECONDS),
    description:
      'Seconds that a ping may be late before the monitor is down: 300 where a schedule is set, else 0 beyond the interval.',
    group: 'job',
    label: phrase('Grace'),
    hint: phrase(
      'How late a ping may be. Without a value, 5 minutes with a schedule, and none with an interval.',
    ),
    unit: 'seconds',
    has: ofJobs,
    default: null,
  },
  max_duration_seconds: {
    schema: z.int().min(1).max(MAX_DURATION_SECONDS),
    description:
      'Seconds from `/start` to the end of a run before the monitor is down. A start counts as a ping for its time then.',
    group: 'job',
    label: phrase('Longest run'),
    hint: phrase('From the ping of /start to the end, up to 1 day. A start counts as a ping in time then.'),
    unit: 'seconds',
    has: ofJobs,
    default: null,
  },
  expect_exit: {
    schema: z.array(z.int().min(0).max(MAX_EXIT_STATUS)).min(1).max(MAX_EXIT_STATUSES),
    description: 'Exit statuses that count as done, in place of 0 alone. Others count as failed.',
    group: 'expectations',
    label: phrase('Exit statuses that count as done'),
    hint: phrase('0 to 255, separated by commas. Without a value, 0.'),
    has: ofJobs,
    default: null,
  },
  body_assertions: {
    schema: Assertions,
    description:
      'Expectations of the body of pings that count as done, at most 20, of source `body` or `json`. The first one of severity `down` that is not met makes the ping a failure, and says why; one of severity `degraded` warns.',
    group: 'expectations',
    label: phrase('Assertions on the body of a ping'),
    hint: phrase('What the job sends must be so. Write texts without quotes.'),
    has: ofJobs,
    default: null,
    sources: () => OF_PINGS,
    faults: (type, value) => sourceFaults(OF_PINGS, type, value),
  },
  next_due_at: {
    schema: Instant,
    description:
      'Read-only, and ignored where it is sent: the scheduled time that the next ping is due at. Absent without a schedule and while paused.',
    group: 'job',
    label: phrase('Next ping due'),
    has: ofJobs,
    default: null,
    readOnly: true,
  },
} as const satisfies Record<string, Option>

/** The options of heartbeats that say when a job is late. */
export type HeartbeatOptions = {
  [Key in Exclude<keyof typeof HEARTBEATS, 'next_due_at'>]?:
    | z.infer<(typeof HEARTBEATS)[Key]['schema']>
    | undefined
}
