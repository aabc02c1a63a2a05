import { keptSearch } from '../kept-search.ts'
import { readZoom } from '../zoom.ts'

export const SERVER_RANGES = ['1h', '6h', '24h', '7d', '30d', '90d'] as const
export type ServerRange = (typeof SERVER_RANGES)[number]

const HOUR_SECONDS = 3_600
export const RANGE_SECONDS: Record<ServerRange, number> = {
  '1h': HOUR_SECONDS,
  '6h': 6 * HOUR_SECONDS,
  '24h': 24 * HOUR_SECONDS,
  '7d': 7 * 24 * HOUR_SECONDS,
  '30d': 30 * 24 * HOUR_SECONDS,
  '90d': 90 * 24 * HOUR_SECONDS,
}

/** The stretch that the page of a server shows: the newest of some length, or the one that was zoomed into. */
export type ServerPageSearch = {
  range?: ServerRange | undefined
  /** In seconds since 1970, both or neither. */
  from?: number | undefined
  to?: number | undefined
  /** The dialog about the agent is open. */
  install?: true | undefined
}

export function readServerPageSearch({
  range,
  from,
  to,
  install,
}: Record<string, unknown>): ServerPageSearch {
  const kept: ServerPageSearch = { range: SERVER_RANGES.find((one) => one === range), ...readZoom(from, to) }
  if (install === true) kept.install = true
  return keptSearch(['range', 'from', 'to', 'install'], kept)
}
