import { useQuery } from '@tanstack/react-query'
import type { ShownSpan } from '../../../src/core/maintenance/shown-window.ts'
import { question } from '../../data/ask.ts'
import { readerHere } from './reader.ts'

/** The windows of a team; asked again when one begins or ends. */
export function useWindows(team: number) {
  return useQuery({
    ...question(team, 'listMaintenanceWindows', {
      query: readerHere(),
    }),
    refetchInterval: ({ state }) => untilNextTurn(state.data?.data),
  })
}

/** Plans begin and end without news: a screen asks again then. */
const AFTER_MS = 500
const MAX_MS = 3_600_000

type Rows = readonly { current: ShownSpan | null; next: ShownSpan | null }[]

/** How long until a window of a list begins or ends, at most an hour; for `refetchInterval`. */
export function untilNextTurn(rows: Rows | undefined): number | false {
  if (!rows) return false
  const turns = rows.flatMap(({ current, next }) => [
    ...(current ? [Date.parse(current.ends_at)] : []),
    ...(next ? [Date.parse(next.starts_at)] : []),
  ])
  const ahead = turns.map((at) => at - Date.now()).filter((ms) => ms > 0)
  return Math.min(MAX_MS, ...ahead) + AFTER_MS
}
