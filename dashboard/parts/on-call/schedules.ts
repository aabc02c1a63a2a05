import { useQuery } from '@tanstack/react-query'
import type { OnCallNow } from '../../../src/core/on-call/shown-schedule.ts'
import { question } from '../../data/ask.ts'

/** Shifts end without news: a screen asks again then. */
const AFTER_MS = 500
const MAX_MS = 3_600_000

/** The schedules of a team; asked again when a shift ends. */
export function useSchedules(team: number) {
  return useQuery({
    ...question(team, 'listSchedules', {}),
    refetchInterval: ({ state }) => untilNextShift(state.data?.data),
  })
}

/** How long until a shift of a list ends, at most an hour; for `refetchInterval`. */
export function untilNextShift(rows: readonly { on_call: OnCallNow }[] | undefined): number | false {
  if (!rows) return false
  const ends = rows.flatMap(({ on_call: { until } }) => (until ? [Date.parse(until) - Date.now()] : []))
  return Math.min(MAX_MS, ...ends.filter((ms) => ms > 0)) + AFTER_MS
}
