import * as z from 'zod'
import { Instant } from '../instant.ts'
import { MAX_NAME_LENGTH } from '../text.ts'
import { readable } from './series.ts'

/** Series that are named of a request. */
export const MAX_NAMES = 5
export const MAX_SERIES_NAME = 80
const MAX_WHY = 300
/** A count begins anew after requests have not come for so long. */
export const COUNTED_TOGETHER_SECONDS = 3_600
/** A server that reports is not looked at: other requests of its sender may hold what nothing is kept of. */
export const SILENT_FOR_SECONDS = 600

/** Requests at the address of a server of which nothing could be kept. */
export const NotUnderstood = z.object({
  /** Since `since`. */
  requests: z.int(),
  since: Instant,
  at: Instant,
  /** As it calls itself, such as `Telegraf/1.30.0`. */
  sender: z.string().nullable(),
  address: z.string(),
  /** The first names of series in the last request, none of which is known. */
  names: z.array(z.string()),
  /** Why the last request could not be read; null for one that could. */
  why: z.string().nullable(),
})
export type NotUnderstood = z.infer<typeof NotUnderstood>

/** The last request, as it is stored. */
export type NotedRequest = Pick<NotUnderstood, 'sender' | 'address' | 'names' | 'why'>

/** `userAgent`, `names` and `why` are of a sender, and may hold anything. */
export function notedRequest(request: {
  userAgent: string | null
  address: string
  names: readonly string[]
  why: string | null
}): NotedRequest {
  const { userAgent, address, names, why } = request
  return {
    sender: userAgent === null ? null : readable(userAgent, MAX_NAME_LENGTH),
    address,
    names: names.slice(0, MAX_NAMES).flatMap((name) => readable(name, MAX_SERIES_NAME) ?? []),
    why: why === null ? null : readable(why, MAX_WHY),
  }
}
