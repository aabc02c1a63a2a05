import { PINGS_PER_PAGE } from '../../contract/monitor-pages.ts'
import { Refusal } from '../../core/errors.ts'
import { windowStart } from '../../core/history/history-span.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { durationsOf, type Ping, textOf } from '../../core/monitors/ping.ts'
import { type PingRecord, readPingBody, readPings } from '../../store/monitors/pings.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

/** How many older pings to search for the start of a run. */
const MAX_OLDER_PINGS = 250

/** Limited to the plan's window, even if older pings are still stored. */
export const listPings: Implementation<'listPings'> = {
  async perform(services, { actor, record, query }) {
    const wish = {
      since: sinceOf(services, actor),
      before: query.before ?? null,
      limit: PINGS_PER_PAGE + MAX_OLDER_PINGS,
    }
    const pings = await readPings(services.db, record.id, wish)
    const durations = durationsOf(pings)
    const page = firstPage(pings)
    const last = pings.length > page.length ? page.at(-1) : undefined
    return {
      body: {
        data: page.map((ping, index) => presentPing(ping, durations[index] ?? null)),
        meta: { next_before: formatInstantOrNull(last?.receivedAt ?? null) },
      },
    }
  },
}

/** The next page starts before an instant, so pings of the same millisecond stay together. */
function firstPage(pings: readonly PingRecord[]): PingRecord[] {
  const lastMs = pings[PINGS_PER_PAGE - 1]?.receivedAt.getTime()
  return pings.filter(({ receivedAt }, index) => index < PINGS_PER_PAGE || receivedAt.getTime() === lastMs)
}

/** Refuses with 404 when no body is stored, or no longer. */
export const getPingBody: Implementation<'getPingBody'> = {
  async perform(services, { actor, record, query: { at } }) {
    const body = await readPingBody(services.db, record.id, at, sinceOf(services, actor))
    if (!body) throw new Refusal('notFound')
    return { body: { data: { received_at: formatInstant(at), bytes: body.length, text: textOf(body) } } }
  },
}

function sinceOf({ plans, now }: Services, { plan }: Actor): Date | null {
  return windowStart(plans[plan].check_history_days, now())
}

function presentPing(ping: PingRecord, durationMs: number | null): Ping {
  return {
    received_at: formatInstant(ping.receivedAt),
    kind: ping.kind,
    exit_status: ping.exitStatus,
    run_id: ping.runId,
    duration_ms: durationMs,
    body_bytes: ping.bodyBytes,
  }
}
