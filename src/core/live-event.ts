import * as z from 'zod'
import { DeliveryState } from './alerting/delivery-state.ts'
import { Instant } from './instant.ts'
import type { SubjectKind } from './maintenance/subject-kind.ts'
import { CheckStatus } from './monitors/check.ts'
import { IncidentState } from './monitors/incidents/incident-kind.ts'

/**
 * The events of a live stream. They are hints, not data: each names the records to fetch again. A client
 * fetches everything after `hello` and after `resync`, so nothing is lost while it is disconnected.
 */
const LIVE_EVENTS = {
  hello: z.object({ at: Instant }),
  /**
   * A keep-alive. A comment line would hold the connection open as well, but browsers do not pass comments to
   * the page.
   */
  alive: z.object({ at: Instant }),
  /** News may have been missed, or arrived too fast to be sent one by one. */
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
  server: z.object({ id: z.int(), status: CheckStatus }),
  /** A report came in: for screens that show this server. */
  server_report: z.object({ id: z.int() }),
  /** Servers were created, changed or deleted. */
  servers: z.object({}),
  site: z.object({ id: z.int(), status: CheckStatus }),
  /** A crawl went on: for screens that show this site. */
  site_crawl: z.object({ id: z.int() }),
  /** Sites were created, changed or deleted. */
  sites: z.object({}),
  contacts: z.object({}),
  /** Maintenance windows, or their turns. */
  maintenance: z.object({}),
  /** On-call schedules, or who is in them. */
  on_call: z.object({}),
  /** Status pages, their posts or subscribers. */
  status_pages: z.object({}),
  /** The team, its members, or records of either. */
  team: z.object({}),
} as const satisfies Record<string, z.ZodType> & Record<SubjectKind | `${SubjectKind}s`, z.ZodType>

export type LiveEventName = keyof typeof LIVE_EVENTS
/** Events about the stream itself; all others are news of a team. */
export type LiveSignal = 'hello' | 'alive' | 'resync'
type DataOf<Name extends LiveEventName> = z.output<(typeof LIVE_EVENTS)[Name]>
export type LiveEvent = { [Name in LiveEventName]: { event: Name; data: DataOf<Name> } }[LiveEventName]

/** News of a team, as processes send it to each other. */
export type News = { team_id: number } & Exclude<LiveEvent, { event: LiveSignal }>

/** Parses news from another process; null for an event that this version does not know. */
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

/** An event in the `text/event-stream` format. JSON text contains no line breaks. */
export function eventFrame({ event, data }: LiveEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
