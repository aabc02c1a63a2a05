import * as z from 'zod'
import { LiveStatus } from '../../src/core/monitors/status.ts'
import { keptSearch } from './kept-search.ts'

const MAX_SEARCH_LENGTH = 255

export const ServerSort = z.enum(['attention', 'name', 'cpu', 'memory', 'disk', 'load', 'last_report_at'])
export type ServerSort = z.infer<typeof ServerSort>

const LIST = {
  page: z.coerce.number().int().min(1).max(10_000),
  search: z.string().min(1).max(MAX_SEARCH_LENGTH),
  status: LiveStatus,
  sort: ServerSort,
  order: z.enum(['asc', 'desc']),
}

/** The filters in the address of the list of servers. */
export type ServerSearch = { [Name in keyof typeof LIST]?: z.infer<(typeof LIST)[Name]> | undefined }

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readServerSearch(given: Record<string, unknown>): ServerSearch {
  const kept: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(LIST)) {
    // The router reads a search for 1 as a number.
    const value = name === 'search' && given[name] !== undefined ? String(given[name]) : given[name]
    const read = schema.safeParse(value)
    if (value !== undefined && read.success) kept[name] = read.data
  }
  return keptSearch<ServerSearch>(Object.keys(LIST) as (keyof ServerSearch)[], kept)
}

export const ServerRange = z.enum(['1h', '6h', '24h', '7d', '30d', '90d'])
export type ServerRange = z.infer<typeof ServerRange>

const HOUR_SECONDS = 3_600
export const RANGE_SECONDS: Record<ServerRange, number> = {
  '1h': HOUR_SECONDS,
  '6h': 6 * HOUR_SECONDS,
  '24h': 24 * HOUR_SECONDS,
  '7d': 7 * 24 * HOUR_SECONDS,
  '30d': 30 * 24 * HOUR_SECONDS,
  '90d': 90 * 24 * HOUR_SECONDS,
}

/** A part of the charts is no shorter. */
export const MIN_ZOOM_SECONDS = 300

/** The stretch that the page of a server shows: the newest of some length, or the one that was zoomed into. */
export type ServerPageSearch = {
  range?: ServerRange | undefined
  /** In seconds since 1970, both or neither. */
  from?: number | undefined
  to?: number | undefined
  /** The dialog about the agent is open. */
  install?: true | undefined
}

const Second = z.number().int().min(0).max(9_999_999_999)

export function readServerPageSearch({
  range,
  from,
  to,
  install,
}: Record<string, unknown>): ServerPageSearch {
  const kept: ServerPageSearch = {}
  const known = ServerRange.safeParse(range)
  if (known.success) kept.range = known.data
  const [begins, ends] = [Second.safeParse(from), Second.safeParse(to)]
  if (begins.success && ends.success && ends.data - begins.data >= MIN_ZOOM_SECONDS) {
    kept.from = begins.data
    kept.to = ends.data
  }
  if (install === true) kept.install = true
  return keptSearch(['range', 'from', 'to', 'install'], kept)
}

/** The stretch that was drawn with the pointer, made as long as the shortest. Times are in seconds. */
export function zoomOf(left: number, right: number): { from: number; to: number } {
  const lack = Math.max(0, MIN_ZOOM_SECONDS - (right - left))
  return { from: Math.floor(left - lack / 2), to: Math.ceil(right + lack / 2) }
}
