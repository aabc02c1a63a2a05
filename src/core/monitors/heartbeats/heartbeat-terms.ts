import { cutCause, missedPing, missedRun } from '../cause.ts'
import { deadline } from '../heartbeat.ts'
import { DEFAULT_GRACE_SECONDS, type HeartbeatOptions } from '../options/heartbeats.ts'
import { type JobSchedule, jobScheduleOf } from './job-schedule.ts'

/** The settings that say when a job is late. */
export type HeartbeatTerms = { intervalSeconds: number; options?: HeartbeatOptions | null | undefined }

/** When a job is late that is waited for from now on; null where its schedule has no time any more. */
export function firstDeadline(terms: HeartbeatTerms, now: Date): Date | null {
  const { schedule, graceSeconds } = readTerms(terms)
  if (!schedule) return deadline(now, terms.intervalSeconds + graceSeconds)
  return withGrace(schedule.next(now), graceSeconds)
}

/** When a job is late that was heard of at `at`: an interval after that, or after the first time that the ping does not count for. */
export function deadlineAfterPing(terms: HeartbeatTerms, at: Date): Date | null {
  const { schedule, graceSeconds } = readTerms(terms)
  if (!schedule) return deadline(at, terms.intervalSeconds + graceSeconds)
  const next = schedule.next(at)
  const counts = next && isForNext({ last: schedule.last(at), next, graceSeconds }, at)
  return withGrace(counts ? schedule.next(next) : next, graceSeconds)
}

/** The next deadline of a job that missed one, as found at `at`: an interval after the other, or that of the next scheduled time. */
export function deadlineAfterSilence(terms: HeartbeatTerms, dueAt: Date, at: Date): Date | null {
  const { schedule, graceSeconds } = readTerms(terms)
  if (schedule) return withGrace(schedule.next(new Date(at.getTime() - graceSeconds * 1_000)), graceSeconds)
  const waitSeconds = terms.intervalSeconds + graceSeconds
  const next = deadline(dueAt, waitSeconds)
  return next > at ? next : deadline(at, waitSeconds)
}

/**
 * The deadline once other terms hold: a job that has an interval keeps the time at which it was heard of, one with the same
 * times as before is still due at the same one, and new times count from now on.
 */
export function movedDeadline(
  before: HeartbeatTerms,
  after: HeartbeatTerms,
  dueAt: Date | null,
  now: Date,
): Date | null {
  const isSame = before.options?.schedule === after.options?.schedule && zoneOf(before) === zoneOf(after)
  if (!isSame || !dueAt) return firstDeadline(after, now)
  const waitOf = (terms: HeartbeatTerms) =>
    (terms.options?.schedule ? 0 : terms.intervalSeconds) + graceSecondsOf(terms.options)
  return deadline(dueAt, waitOf(after) - waitOf(before))
}

/** Whether other terms give another deadline. */
export function isDueOtherwise(before: HeartbeatTerms, after: HeartbeatTerms): boolean {
  const said = (terms: HeartbeatTerms) =>
    JSON.stringify([
      terms.intervalSeconds,
      terms.options?.schedule,
      zoneOf(terms),
      graceSecondsOf(terms.options),
    ])
  return said(before) !== said(after)
}

/** The scheduled time that a job is waited for at, by its deadline; null without a schedule. */
export function nextDueAt(terms: HeartbeatTerms, dueAt: Date | null): Date | null {
  const { schedule, graceSeconds } = readTerms(terms)
  if (!schedule || !dueAt) return null
  // Our own downtime, or the end of a run, may have moved the deadline.
  return schedule.last(new Date(dueAt.getTime() - graceSeconds * 1_000))
}

/**
 * For how long a silent job had been waited for at its deadline, of which windows do not count: from its scheduled time on, else
 * from when it was heard of.
 */
export function waitBefore(
  terms: HeartbeatTerms,
  heardAt: Date | null,
): { intervalSeconds: number; heardAt: Date | null } {
  const graceSeconds = graceSecondsOf(terms.options)
  if (terms.options?.schedule) return { intervalSeconds: graceSeconds, heardAt: null }
  return { intervalSeconds: terms.intervalSeconds + graceSeconds, heardAt }
}

/** The cause where nothing came by a deadline. */
export function silenceCause(terms: HeartbeatTerms, dueAt: Date): string {
  const { schedule, graceSeconds } = readTerms(terms)
  const missed = schedule && nextDueAt(terms, dueAt)
  if (!missed) return missedPing(terms.intervalSeconds + graceSeconds)
  return cutCause(missedRun(missed, schedule.timeZone, graceSeconds))
}

/**
 * A ping in the second half of the time before the next run counts for that, unless the run before still has its grace: of a job
 * that takes long it may be the end.
 */
function isForNext(
  { last, next, graceSeconds }: { last: Date | null; next: Date; graceSeconds: number },
  at: Date,
): boolean {
  if (!last) return false
  const lateAtMs = last.getTime() + graceSeconds * 1_000
  const halfMs = (next.getTime() - last.getTime()) / 2
  return at.getTime() >= lateAtMs && next.getTime() - at.getTime() <= halfMs
}

function readTerms({ options }: HeartbeatTerms): { schedule: JobSchedule | null; graceSeconds: number } {
  const { schedule, timezone } = options ?? {}
  return {
    schedule: schedule === undefined ? null : knownSchedule(schedule, timezone),
    graceSeconds: graceSecondsOf(options),
  }
}

/** One that a later version of the reader does not take any more must not stop the judging of others: the interval holds then. */
function knownSchedule(schedule: string, timeZone: string | undefined): JobSchedule | null {
  try {
    return jobScheduleOf(schedule, timeZone)
  } catch {
    return null
  }
}

/** How late a ping may be: some minutes after a scheduled time unless told, and no longer than an interval. */
export function graceSecondsOf(options: HeartbeatOptions | null | undefined): number {
  return options?.grace_seconds ?? (options?.schedule === undefined ? 0 : DEFAULT_GRACE_SECONDS)
}

function zoneOf({ options }: HeartbeatTerms): string | undefined {
  return options?.schedule === undefined ? undefined : options.timezone
}

function withGrace(at: Date | null, graceSeconds: number): Date | null {
  return at && deadline(at, graceSeconds)
}
