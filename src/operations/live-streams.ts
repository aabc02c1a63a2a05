import { Refusal } from '../core/errors.ts'
import { formatInstant } from '../core/instant.ts'
import { inWords, said } from '../core/language/said.ts'
import { eventFrame, type LiveSignal, type News, readNews } from '../core/live-event.ts'
import { ALIVE_EVERY_MS } from '../core/live-pace.ts'
import { createPlaces, mostOfOne } from '../core/sharing/share.ts'
import { sizeOf } from '../core/sharing/shared.ts'
import type { Role } from '../core/teams/access.ts'

const MAX_PER_USER = 20
/** Behind one address may be a whole office, or a proxy that the service was not told of. */
const MAX_PER_CLIENT = mostOfOne(sizeOf('liveStreams'))
const FULL_RETRY_SECONDS = 30
const TICKS_PER_RECHECK = 60_000 / ALIVE_EVERY_MS
/** More news for a team than this in one turn of the event loop become a single `resync`. */
const MAX_SENT_AT_ONCE = 100
const RETRY_LINE = 'retry: 2000\n\n'

/** The person who watches a team, and their role; the stream ends when this is no longer true. `client`: their network. */
export type Watcher = { sessionId: number; userId: number; teamId: number; role: Role; client: string }

/** A client's connection. `write` gives up on its own when the client does not read. */
export type Sink = { write: (bytes: Uint8Array) => void; end: () => void }

export type LiveStreams = {
  /**
   * Adds a stream and greets it; returns a function that removes it. Refuses one too many per user (429) or in all
   * (503). Where all places are taken, the team with the most streams makes way for one with fewer.
   */
  open(watcher: Watcher, sink: Sink): () => void
  /** Sends news to everyone who watches the team; null means that news may have been missed. */
  publish(payload: string | null): void
  /** Checks whether the streams of a user (null: of all) are still allowed, and ends those that are not. */
  recheck(userId: number | null): Promise<void>
  /** The number of open streams. */
  readonly size: number
  close(): void
}

/** The open streams of this process, by team: one timer for all, and no queries except to recheck access. */
export function createLiveStreams(deps: {
  now: () => Date
  /** Says of each watcher whether its session, membership and role are unchanged, by one query for all. */
  stillAllowed: (watchers: Watcher[]) => Promise<boolean[]>
  onTrouble: (error: unknown) => void
}): LiveStreams {
  const streams = new Map<Sink, Watcher>()
  const places = createPlaces('liveStreams')
  const sinksOfTeam = new Map<number, Set<Sink>>()
  const unsent = new Map<number, string[]>()
  let clock: NodeJS.Timeout | undefined
  let ticks = 0
  let closed = false

  function open(watcher: Watcher, sink: Sink): () => void {
    if (closed) throw full('The service is stopping')
    if (countOf('userId', watcher) >= MAX_PER_USER) {
      const sentence = said('An account may have {max} live streams at once: try again in {seconds} s.', {
        max: MAX_PER_USER,
        seconds: FULL_RETRY_SECONDS,
      })
      throw Refusal.forNow('tooManyRequests', FULL_RETRY_SECONDS, sentence)
    }
    const isClientFull = countOf('client', watcher) >= MAX_PER_CLIENT
    while (!isClientFull && !places.gets(watcher.teamId) && makeWay(watcher.teamId));
    if (isClientFull || !places.take(watcher.teamId)) {
      throw full('There are too many live streams')
    }
    streams.set(sink, watcher)
    sinksOfTeam.set(watcher.teamId, (sinksOfTeam.get(watcher.teamId) ?? new Set()).add(sink))
    clock ??= setInterval(tick, ALIVE_EVERY_MS).unref()
    sink.write(Buffer.from(RETRY_LINE + signal('hello')))
    return () => remove(sink)
  }

  function countOf(what: 'userId' | 'client', watcher: Watcher): number {
    let count = 0
    for (const other of streams.values()) if (other[what] === watcher[what]) count++
    return count
  }

  /** Ends the newest stream of the team with the most, if that is more than this one would have; false if it is not. */
  function makeWay(teamId: number): boolean {
    let most = places.heldBy(teamId) + 1
    let last: Sink | null = null
    for (const [sink, other] of streams) {
      const held = places.heldBy(other.teamId)
      if (held < most || (held === most && last === null)) continue
      most = held
      last = sink
    }
    if (last !== null) end(last)
    return last !== null
  }

  function remove(sink: Sink): void {
    const watcher = streams.get(sink)
    if (watcher === undefined) return
    const { teamId } = watcher
    streams.delete(sink)
    places.leave(teamId)
    const sinks = sinksOfTeam.get(teamId)
    sinks?.delete(sink)
    if (sinks?.size === 0) sinksOfTeam.delete(teamId)
    if (streams.size > 0) return
    clearInterval(clock)
    clock = undefined
  }

  function publish(payload: string | null): void {
    if (streams.size === 0) return
    const news = payload === null ? null : readNews(payload)
    if (payload === null) sendToAll(Buffer.from(signal('resync')))
    else if (news && sinksOfTeam.has(news.team_id)) sendSoon(news)
  }

  /** News that arrive together share a write. */
  function sendSoon(news: News): void {
    const frames = unsent.get(news.team_id)
    if (frames) frames.push(eventFrame(news))
    else {
      unsent.set(news.team_id, [eventFrame(news)])
      setImmediate(() => sendToTeam(news.team_id))
    }
  }

  /** Encoded once, sent to all. */
  function sendToTeam(teamId: number): void {
    const frames = unsent.get(teamId) ?? []
    unsent.delete(teamId)
    const bytes = Buffer.from(frames.length > MAX_SENT_AT_ONCE ? signal('resync') : frames.join(''))
    for (const sink of sinksOfTeam.get(teamId) ?? []) sink.write(bytes)
  }

  function sendToAll(bytes: Uint8Array): void {
    for (const sink of streams.keys()) sink.write(bytes)
  }

  function signal(event: LiveSignal): string {
    return eventFrame({ event, data: { at: formatInstant(deps.now()) } })
  }

  function tick(): void {
    sendToAll(Buffer.from(signal('alive')))
    if (++ticks % TICKS_PER_RECHECK === 0) void recheck(null)
  }

  async function recheck(userId: number | null): Promise<void> {
    const asked = [...streams].filter(([, watcher]) => userId === null || watcher.userId === userId)
    if (asked.length === 0) return
    try {
      const allowed = await deps.stillAllowed(asked.map(([, watcher]) => watcher))
      for (const [index, [sink]] of asked.entries()) if (!allowed[index]) end(sink)
    } catch (error) {
      // While the database is away there is no news either; once it is back, the next recheck covers all streams.
      deps.onTrouble(error)
    }
  }

  function end(sink: Sink): void {
    if (!streams.has(sink)) return
    remove(sink)
    sink.end()
  }

  return {
    open,
    publish,
    recheck,
    get size() {
      return streams.size
    },
    close() {
      closed = true
      for (const sink of [...streams.keys()]) end(sink)
    },
  }
}

/** A browser tries again by itself: nobody reads why. */
function full(why: string): Refusal {
  const sentence = inWords(`${why}: try again in ${FULL_RETRY_SECONDS} s.`)
  return Refusal.forNow('unavailable', FULL_RETRY_SECONDS, sentence)
}
