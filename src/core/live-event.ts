import * as z from 'zod'
import { DeliveryState } from './alerting/delivery-log.ts'
import { Instant } from './instant.ts'
import { CheckStatus } from './monitors/check.ts'
import { IncidentState } from './monitors/incident-story.ts'

/** How often a stream says that it is alive where there is no news. Proxies cut what is silent for a minute or less. */
export const ALIVE_EVERY_MS = 4_000
/** A page that has heard nothing for so long has lost its connection: two signs of life are missing. */
export const SILENT_AFTER_MS = 10_000

/**
 * What a live stream says. Events are hints and no data: they name what to ask for again. Who connects asks for
 * everything after `hello`, and so does who is told `resync`; so nothing is lost in a break.
 */
const LIVE_EVENTS = {
  hello: z.object({ at: Instant }),
  /** A sign of life. Comments would keep a connection open as well, but browsers keep those to themselves. */
  alive: z.object({ at: Instant }),
  /** News may have been missed, or came too thick to be told one by one. */
  resync: z.object({ at: Instant }),
  monitor: z.object({ id: z.int(), status: CheckStatus, is_active: z.boolean() }),
  incident: z.object({ id: z.int(), monitor_id: z.int(), state: IncidentState }),
  delivery: z.object({
    id: z.int(),
    state: DeliveryState,
    contact_id: z.int().nullable(),
    incident_id: z.int().nullable(),
  }),
  /** Monitors were created, changed, deleted or restored. */
  monitors: z.object({}),
  contacts: z.object({}),
  /** The team, its members or what belongs to them. */
  team: z.object({}),
} as const satisfies Record<string, z.ZodType>

export type LiveEventName = keyof typeof LIVE_EVENTS
/** What a process says of the stream itself; the others are news of a team. */
export type LiveSignal = 'hello' | 'alive' | 'resync'
type DataOf<Name extends LiveEventName> = z.output<(typeof LIVE_EVENTS)[Name]>
export type LiveEvent = { [Name in LiveEventName]: { event: Name; data: DataOf<Name> } }[LiveEventName]

/** News of a team, as one process tells the others. */
export type News = { team_id: number } & Exclude<LiveEvent, { event: LiveSignal }>

/** Reads what another process said; null for what this version does not know. */
export function readNews(payload: string): News | null {
  const known = NewsEnvelope.safeParse(parseOrNull(payload))
  const { event } = known.data ?? {}
  if (!known.success || event === undefined || !Object.hasOwn(LIVE_EVENTS, event)) return null
  return known.data as News
}

const NewsEnvelope = z.object({
  team_id: z.int(),
  event: z.string(),
  data: z.record(z.string(), z.unknown()),
})

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An event in the format of `text/event-stream`. JSON has no line break of its own. */
export function eventFrame({ event, data }: LiveEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
