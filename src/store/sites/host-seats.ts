import type { Database } from '../../postgres/database.ts'

/** Requests to one host at the same time, over all sites and processes of an installation. */
export const SEATS_OF_HOST = 2
/** Longer than a request may take: the seat of a process that died is free after that. */
const HELD_MS = 12_000
/** Seats of hosts that were not asked for so long are forgotten. */
const IDLE_MS = 3_600_000

/** `waitMs`: until a seat is free, if nobody gives one back before; `restMs`: none is free before. */
export type ClaimedSeat = { kind: 'seat'; seat: number } | { kind: 'wait'; waitMs: number; restMs: number }

/** Takes one of the first `seats` seats of a host whose rest is over. */
export async function claimHostSeat({ pool }: Database, host: string, seats: number): Promise<ClaimedSeat> {
  const { rows } = await pool.query<{ seat: number }>({
    name: 'claim-host-seat',
    text: `WITH due AS (
             SELECT seat FROM site_host_seats
             WHERE host = $1 AND seat <= $2 AND greatest(held_until, next_start_at) <= clock_timestamp()
             ORDER BY next_start_at, seat LIMIT 1 FOR UPDATE SKIP LOCKED)
           UPDATE site_host_seats s SET held_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
           FROM due WHERE s.host = $1 AND s.seat = due.seat
           RETURNING s.seat`,
    values: [host, seats, HELD_MS],
  })
  const [row] = rows
  return row ? { kind: 'seat', seat: row.seat } : readWait({ pool }, host, seats)
}

/** A host that is new gets its seats. */
async function readWait(
  { pool }: Pick<Database, 'pool'>,
  host: string,
  seats: number,
): Promise<ClaimedSeat & { kind: 'wait' }> {
  const { rows } = await pool.query<{ waitMs: number | null; restMs: number | null }>({
    name: 'read-wait-for-host-seat',
    text: `WITH made AS (
             INSERT INTO site_host_seats (host, seat) SELECT $1, generate_series(1, $3::int)
             WHERE NOT EXISTS (SELECT FROM site_host_seats WHERE host = $1)
             ON CONFLICT DO NOTHING)
           SELECT extract(epoch FROM min(greatest(held_until, next_start_at)) - clock_timestamp())::float8 * 1000
             AS "waitMs",
             extract(epoch FROM min(next_start_at) - clock_timestamp())::float8 * 1000 AS "restMs"
           FROM site_host_seats WHERE host = $1 AND seat <= $2`,
    values: [host, seats, SEATS_OF_HOST],
  })
  const [row] = rows
  return { kind: 'wait', waitMs: Math.max(row?.waitMs ?? 0, 0), restMs: Math.max(row?.restMs ?? 0, 0) }
}

/** Gives a seat back, which then rests for so long. A host that asked to be left alone rests in all its seats. */
export async function leaveHostSeat(
  { pool }: Database,
  host: string,
  seat: number,
  { restMs, aloneMs }: { restMs: number; aloneMs: number },
): Promise<void> {
  await pool.query({
    name: 'leave-host-seat',
    text: `WITH held AS (
             SELECT seat FROM site_host_seats WHERE host = $1 AND (seat = $2 OR $4::float8 > 0)
             ORDER BY seat FOR NO KEY UPDATE)
           UPDATE site_host_seats s
           SET held_until = CASE WHEN s.seat = $2 THEN '-infinity' ELSE held_until END,
               next_start_at = greatest(next_start_at, clock_timestamp() + make_interval(
                 secs => CASE WHEN s.seat = $2 THEN greatest($3::float8, $4::float8) ELSE $4::float8 END / 1000))
           FROM held WHERE s.host = $1 AND s.seat = held.seat`,
    values: [host, seat, restMs, aloneMs],
  })
}

export async function forgetIdleHosts({ pool }: Database): Promise<void> {
  await pool.query({
    name: 'forget-idle-hosts',
    text: `WITH gone AS (
             SELECT host, seat FROM site_host_seats
             WHERE greatest(held_until, next_start_at) < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
             ORDER BY host, seat FOR UPDATE SKIP LOCKED)
           DELETE FROM site_host_seats s USING gone WHERE s.host = gone.host AND s.seat = gone.seat`,
    values: [IDLE_MS],
  })
}
