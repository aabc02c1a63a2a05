import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { untilNextShift } from '../../parts/on-call/schedules.ts'

/** A schedule; asked again when a shift ends. */
export function useSchedule(team: number, schedule: number) {
  return useQuery({
    ...question(team, 'getSchedule', { id: schedule }),
    refetchInterval: ({ state }) => untilNextShift(state.data && [state.data.data]),
  })
}
