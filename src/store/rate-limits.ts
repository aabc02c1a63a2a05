import { putLast } from '../core/bounded-map.ts'
import type { Database } from '../postgres/database.ts'
import { gather } from '../postgres/gather.ts'

const CLEAN_EVERY_MS = 300_000
/** Keys that one process counts by itself, at most; the oldest goes first. */
const MAX_KEYS_HERE = 10_000
/** The same of uses that cost no statement. */
const MAX_FREE_KEYS = 100_000
/** Ended windows are kept this long, to tolerate clock differences between processes. */
const KEEP_MS = 3_600_000

/** The state of a limit after a use. */
export type Allowance = {
  limit: number
  remaining: number
  /** Full seconds to wait; null while the limit is not exceeded. */
  retryAfterSeconds: number | null
  /** When its window ends, in milliseconds since 1970. */
  endsAtMs: number
}

export type RateLimit = {
  take(key: string | number): Promise<Allowance>
  /** Undoes a use, for limits that count only some uses. */
  giveBack(key: string | number): Promise<void>
}

type Window = { used: number; endsAtMs: number }

/** Counts a use of a key, whose window starts with its first one and lasts so many seconds. */
export type CountUse = (use: {
  key: string
  windowSeconds: number
}) => Promise<Window & { countedAtMs: number }>

/** All processes count together through the database; uses of all limits that come at the same time share a statement. */
export function createUseCounter(db: Database, now: () => Date): CountUse {
  let cleanedAtMs = now().getTime()

  function cleanNowAndThen(nowMs: number) {
    if (nowMs - cleanedAtMs < CLEAN_EVERY_MS) return
    cleanedAtMs = nowMs
    // A failed cleanup is repeated next time.
    removeOver(db, nowMs - KEEP_MS).catch(() => {})
  }

  return gather(async (calls) => {
    const nowMs = now().getTime()
    cleanNowAndThen(nowMs)
    const uses = Map.groupBy(calls, ({ key }) => key)
    const windows = await countUses(db, uses, nowMs)
    // Uses of one key in a batch are counted together, then numbered in order of arrival.
    return calls.map(({ key }) => {
      const { used, endsAtMs } = windows.get(key) as Window
      const later = uses.get(key) as unknown[]
      later.pop()
      return { used: used - later.length, endsAtMs, countedAtMs: nowMs }
    })
  })
}

/** A limit per window of `windowSeconds`, which starts with the first use. */
export function createRateLimit(
  db: Database,
  count: CountUse,
  options: { name: string; limit: number; windowSeconds: number; now: () => Date },
): RateLimit {
  const { name, limit, windowSeconds, now } = options
  return {
    async take(key) {
      const { used, endsAtMs, countedAtMs } = await count({ key: `${name}:${key}`, windowSeconds })
      return allowance(limit, used, endsAtMs, countedAtMs)
    },
    giveBack: (key) => returnUse(db, `${name}:${key}`, now().getTime()),
  }
}

/**
 * The same limit, whose first uses of a window are counted in this process alone: those of clients that are far below it
 * cost no statement. Each process adds `free` uses to it.
 */
export function countingHereAtFirst(
  shared: RateLimit,
  options: { limit: number; free: number; windowSeconds: number; now: () => Date },
): RateLimit {
  const { limit, free } = options
  const takeHere = countHere(options, MAX_FREE_KEYS)
  return {
    ...shared,
    async take(key) {
      const { used, endsAtMs } = takeHere(key)
      // Within the limit the time left does not matter.
      return used <= free ? allowance(limit, used, endsAtMs, endsAtMs) : shared.take(key)
    },
  }
}

/**
 * The same limit, which goes on in this process alone while the database cannot count (its disk is full, say): for
 * requests that our own trouble must not turn away.
 */
export function countingHereInTrouble(
  shared: RateLimit,
  options: { limit: number; windowSeconds: number; now: () => Date; onTrouble: (error: unknown) => void },
): RateLimit {
  const { limit, now, onTrouble } = options
  const takeHere = countHere(options, MAX_KEYS_HERE)

  return {
    ...shared,
    take: (key) =>
      shared.take(key).catch((error) => {
        onTrouble(error)
        const { used, endsAtMs } = takeHere(key)
        return allowance(limit, used, endsAtMs, now().getTime())
      }),
  }
}

/**
 * The same limit, which a process that found it used up refuses by itself until its window ends: further uses cost no
 * statement. For limits whose uses are not given back.
 */
export function refusingHereOnceUsedUp(
  shared: RateLimit,
  { limit, now }: { limit: number; now: () => Date },
): RateLimit {
  const endsMs = new Map<string | number, number>()
  return {
    ...shared,
    async take(key) {
      const endsAtMs = endsMs.get(key) ?? 0
      const nowMs = now().getTime()
      if (endsAtMs > nowMs) return allowance(limit, limit + 1, endsAtMs, nowMs)
      const counted = await shared.take(key)
      // The seconds to wait are rounded up, and would have later uses wait longer than this one.
      if (counted.retryAfterSeconds !== null) putLast(endsMs, key, counted.endsAtMs, MAX_KEYS_HERE)
      return counted
    },
  }
}

/** Counts a use in this process; returns the window of its key. */
function countHere(
  { windowSeconds, now }: { windowSeconds: number; now: () => Date },
  maxKeys: number,
): (key: string | number) => Window {
  const windows = new Map<string | number, Window>()
  return (key) => {
    const nowMs = now().getTime()
    const known = windows.get(key)
    const isRunning = known !== undefined && known.endsAtMs > nowMs
    const window = isRunning ? known : { used: 0, endsAtMs: nowMs + windowSeconds * 1_000 }
    window.used++
    putLast(windows, key, window, maxKeys)
    return window
  }
}

function allowance(limit: number, used: number, endsAtMs: number, atMs: number): Allowance {
  if (used <= limit) return { limit, remaining: limit - used, retryAfterSeconds: null, endsAtMs }
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAtMs - atMs) / 1_000))
  return { limit, remaining: 0, retryAfterSeconds, endsAtMs }
}

/** Updates keys in sorted order, so that batches of several processes do not deadlock. */
async function countUses(
  { runShared }: Database,
  uses: Map<string, { windowSeconds: number }[]>,
  nowMs: number,
): Promise<Map<string, Window>> {
  const sorted = [...uses].sort(([one], [other]) => (one < other ? -1 : 1))
  const { rows } = await runShared<{ key: string; points: number; expire: number }>({
    name: 'count-uses',
    text: `INSERT INTO rate_limits AS r (key, points, expire)
           SELECT key, points, expire FROM unnest($1::text[], $2::int[], $3::bigint[]) AS u (key, points, expire)
           ON CONFLICT (key) DO UPDATE
           SET points = CASE WHEN r.expire <= $4::bigint THEN excluded.points ELSE r.points + excluded.points END,
               expire = CASE WHEN r.expire <= $4::bigint THEN excluded.expire ELSE r.expire END
           RETURNING key, points, expire`,
    values: [
      sorted.map(([key]) => key),
      sorted.map(([, { length }]) => length),
      sorted.map(([, [use]]) => nowMs + (use?.windowSeconds ?? 0) * 1_000),
      nowMs,
    ],
  })
  return new Map(rows.map(({ key, points, expire }) => [key, { used: points, endsAtMs: expire }]))
}

/** The use is gone already if its window has ended. */
async function returnUse({ pool }: Database, key: string, nowMs: number): Promise<void> {
  await pool.query({
    name: 'return-use',
    text: 'UPDATE rate_limits SET points = points - 1 WHERE key = $1 AND points > 0 AND expire > $2',
    values: [key, nowMs],
  })
}

/** Skips locked rows, because waiting for them could deadlock with a batch. */
async function removeOver({ pool }: Database, beforeMs: number): Promise<void> {
  await pool.query(
    `WITH gone AS (SELECT key FROM rate_limits WHERE expire < $1 ORDER BY key FOR UPDATE SKIP LOCKED)
     DELETE FROM rate_limits r USING gone WHERE r.key = gone.key`,
    [beforeMs],
  )
}
