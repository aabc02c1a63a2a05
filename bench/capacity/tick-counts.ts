import { to as copyTo } from 'pg-copy-streams'
import { nextTickMs, phaseMs } from '../../src/core/probing/schedule.ts'
import type { Database } from '../../src/postgres/database.ts'
import type { TestService } from '../../test/support/services/service.ts'
import { INTERVAL_MS, type Lateness, PATIENCE_MS } from '../due-checks.ts'

/** A later one is counted as this late. */
const MAX_LATE_MS = INTERVAL_MS
/** PostgreSQL counts microseconds from 2000-01-01 on. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)
const HEADER_BYTES = 19
const PENDING = 'pending'.charCodeAt(0)

/** The outcome of the ticks in a span of time, of any number of checks. */
export type TickCounts = {
  due: number
  ran: number
  missed: number
  /** Ticks with more than one check that judged the target; what was our own trouble is tried again. */
  doubled: number
  /** Checks that found anything but `up`. */
  notUp: number
  /** Null when there was no check. */
  lateness: Lateness | null
  /** How many checks began more than so long after their tick. */
  laterThan(ms: number): number
}

/**
 * As `readDueChecks`, but in one pass over the newest partition and in little memory: for tables in which an index would
 * be followed millions of times.
 */
export async function countTicks(
  { services }: TestService,
  fromMs: number,
  toMs: number,
  patienceMs = PATIENCE_MS,
): Promise<TickCounts> {
  const { rows } = await services.db.pool.query<{ least: number; most: number; ids: number[] }>(
    `SELECT min(monitor_id) AS least, max(monitor_id) AS most, array_agg(monitor_id) AS ids FROM monitor_state`,
  )
  const { least = 0, most = 0, ids = [] } = rows[0] ?? {}
  const ticks = Math.ceil((toMs - fromMs) / INTERVAL_MS) + 1
  /** How often each tick of each monitor was judged; what is not due is never looked at. */
  const judged = new Uint8Array((most - least + 1) * ticks)
  const lates = new Int32Array(MAX_LATE_MS + 1)
  const counts = { due: 0, ran: 0, missed: 0, doubled: 0, notUp: 0 }
  const phaseOf = (id: number) => phaseMs(id, INTERVAL_MS)
  const firstTickOf = (id: number) => nextTickMs(fromMs - 1, INTERVAL_MS, phaseOf(id))

  function take(id: number, atMs: number, status: number, isUp: boolean) {
    // The last tick up to a check: the first one after an interval before it.
    const tickMs = nextTickMs(Math.floor(atMs) - INTERVAL_MS, INTERVAL_MS, phaseOf(id))
    if (tickMs < fromMs || tickMs >= toMs) return
    counts.ran++
    if (!isUp) counts.notUp++
    const late = Math.min(MAX_LATE_MS, Math.floor(atMs - tickMs))
    lates[late] = (lates[late] as number) + 1
    if (status === PENDING) return
    const place = (id - least) * ticks + (tickMs - firstTickOf(id)) / INTERVAL_MS
    judged[place] = Math.min(255, (judged[place] as number) + 1)
  }

  await readChecks(services.db, fromMs, toMs + patienceMs, take)
  for (const id of ids) {
    const first = firstTickOf(id)
    const due = Math.max(0, Math.ceil((toMs - first) / INTERVAL_MS))
    counts.due += due
    for (let tick = 0; tick < due; tick++) {
      const times = judged[(id - least) * ticks + tick] as number
      if (times === 0) counts.missed++
      if (times > 1) counts.doubled++
    }
  }
  const laterThan = (ms: number) =>
    lates.subarray(Math.min(ms, MAX_LATE_MS) + 1).reduce((sum, n) => sum + n, 0)
  return { ...counts, lateness: latenessIn(lates, counts.ran), laterThan }
}

type Take = (id: number, atMs: number, status: number, isUp: boolean) => void

/** In PostgreSQL's binary format, which costs neither side a conversion: a row is (int4, timestamptz, text). */
async function readChecks(db: Database, fromMs: number, toMs: number, take: Take): Promise<void> {
  const client = db.newClient('bench')
  await client.connect()
  try {
    const [from, to] = [fromMs, toMs].map((ms) => `'${new Date(ms).toISOString()}'`)
    const stream = client.query(
      copyTo(`COPY (SELECT monitor_id, checked_at, status FROM checks WHERE checked_at >= ${from} AND checked_at < ${to})
        TO STDOUT (FORMAT binary)`),
    )
    let rest: Buffer = Buffer.alloc(0)
    let skip = HEADER_BYTES
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      if (skip > 0) {
        if (bytes.length < skip) {
          rest = bytes
          continue
        }
        at = skip
        skip = 0
      }
      at = takeRows(bytes, at, take)
      rest = Buffer.from(bytes.subarray(at))
    }
  } finally {
    await client.end()
  }
}

/** Takes the rows that are there as a whole; returns where the next one begins. */
function takeRows(bytes: Buffer, from: number, take: Take): number {
  let at = from
  // 2 bytes for the number of fields, 4 for the length of each, and 4, 8 and `length` for themselves.
  while (at + 26 <= bytes.length && bytes.readInt16BE(at) === 3) {
    const length = bytes.readInt32BE(at + 22)
    if (at + 26 + length > bytes.length) break
    const micros = bytes.readInt32BE(at + 14) * 2 ** 32 + bytes.readUInt32BE(at + 18)
    take(
      bytes.readInt32BE(at + 6),
      POSTGRES_EPOCH_MS + micros / 1_000,
      bytes[at + 26] as number,
      length === 2,
    )
    at += 26 + length
  }
  return at
}

function latenessIn(lates: Int32Array, ran: number): Lateness | null {
  if (ran === 0) return null
  const rank = (p: number) => {
    let seen = 0
    return lates.findIndex((count) => {
      seen += count
      return seen >= Math.max(1, Math.ceil(ran * p))
    })
  }
  return { p50Ms: rank(0.5), p99Ms: rank(0.99), maxMs: rank(1) }
}
