import { lengthInWords } from '../duration.ts'
import { formatInstant } from '../instant.ts'
import { type Said, said } from '../language/said.ts'
import { type KeptWindow, keptOccurrence, timesOf } from './kept-window.ts'
import { MAX_AHEAD_MS, occurrencesBetween, uncutAt, windowAt } from './occurrence.ts'
import { MAX_ONE_OFF_MINUTES, MAX_RECURRING_MINUTES, MAX_SWITCH_MINUTES } from './window.ts'
import type { EndedBy, KeptOccurrence } from './window-record.ts'

const MINUTE_MS = 60_000
const LONGEST_MINUTES = {
  one_off: MAX_ONE_OFF_MINUTES,
  recurring: MAX_RECURRING_MINUTES,
  switch: MAX_SWITCH_MINUTES,
} as const

/** The occurrences to keep, or why there are none: a field and its message. */
export type TurnDecision = { keep: KeptOccurrence[] } | { fault: { field: string; message: Said } }

const NOT_RUNNING = fault('window', said('must be running, but it is not'))

/** Ends what is running. Of overlapping occurrences each ends where the next begins, so that none goes on. */
export function endNow(whole: KeptWindow, now: Date, endedBy: EndedBy): TurnDecision {
  const running = uncutAt(timesOf(whole), now)
  if (running.length === 0) return NOT_RUNNING
  const keep = running.map(({ startsAt }, index) => {
    const next = running[index + 1]
    if (!next) return keptOccurrence(whole.window, { startsAt, endsAt: now, endedBy })
    const known = whole.kept.find((kept) => kept.startsAt.getTime() === startsAt.getTime())
    return keptOccurrence(whole.window, {
      startsAt,
      endsAt: next.startsAt,
      endedBy: known?.endedBy ?? null,
    })
  })
  return { keep }
}

/** Over the next occurrence it may go: both are one then. */
export function prolong(whole: KeptWindow, now: Date, minutes: number): TurnDecision {
  const running = windowAt(timesOf(whole), now)
  if (!running) return NOT_RUNNING
  const { startsAt } = running
  const endsAt = after(running.endsAt, minutes)
  const longest = LONGEST_MINUTES[whole.window.kind]
  if (endsAt > after(startsAt, longest)) {
    const message = said(
      'must not make it longer than {longest}: it began at {start} and ends at {end}, got {minutes}',
      {
        longest: lengthInWords(longest * 60),
        start: formatInstant(startsAt),
        end: formatInstant(running.endsAt),
        minutes,
      },
    )
    return fault('minutes', message)
  }
  return { keep: [keptOccurrence(whole.window, { startsAt, endsAt, endedBy: null })] }
}

/** Turns a switch on for its longest time unless `minutes` says less, or moves the end of one that is on. */
export function start(whole: KeptWindow, now: Date, minutes: number | undefined): TurnDecision {
  const { window } = whole
  if (window.kind !== 'switch')
    return fault('window', said('must be a switch, got {kind}', { kind: window.kind }))
  if (minutes !== undefined && minutes > window.max_minutes) {
    return fault(
      'minutes',
      said('must be at most {max}, the longest time of this switch, got {got}', {
        max: window.max_minutes,
        got: minutes,
      }),
    )
  }
  const startsAt = windowAt(timesOf(whole), now)?.startsAt ?? now
  const endsAt = after(now, minutes ?? window.max_minutes)
  return { keep: [keptOccurrence(window, { startsAt, endsAt, endedBy: null })] }
}

/** Takes one occurrence that is to come out of the plan. */
export function callOff(whole: KeptWindow, now: Date, startsAt: Date): TurnDecision {
  const isNear = startsAt > now && startsAt.getTime() - now.getTime() <= MAX_AHEAD_MS
  const found = isNear ? occurrencesBetween(timesOf(whole), startsAt, new Date(startsAt.getTime() + 1)) : []
  if (found.some((one) => one.startsAt.getTime() === startsAt.getTime())) {
    return {
      keep: [keptOccurrence(whole.window, { startsAt, endsAt: startsAt, endedBy: 'person' })],
    }
  }
  const got = Number.isNaN(startsAt.getTime()) ? 'no time' : formatInstant(startsAt)
  return fault('starts_at', said('must be the start of an occurrence that is to come, got {got}', { got }))
}

function fault(field: string, message: Said) {
  return { fault: { field, message } }
}

function after(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * MINUTE_MS)
}
