import { DIAGNOSIS_CLAIM_MS } from '../../core/monitors/incidents/diagnosis.ts'
import { bitsOfSlots } from '../../core/probing/slot.ts'
import type { Turns } from '../../core/probing/turns.ts'
import { type Connection, type Database, inTransaction } from '../../postgres/database.ts'
import { endMemberships, SLOTS_CHANNEL, TURNS_AS_JSON } from './slots.ts'

/** The answer to a prober that renews its membership. */
export type Renewal = {
  /** The database's clock, in milliseconds since 1970. */
  databaseMs: number
  turns: Turns | null
  /** The slots it holds; null: those that it knows of, and none of them is wanted. */
  slots: number[] | null
  /** Those of its slots that it is to hand over. */
  wanted: number[]
  /** The number of other living probers that could take its slots or its turns. */
  others: number
  /** Its region is asked to confirm a failure, or any to test settings, and no prober has claimed the request. */
  isAsked: boolean
  /** A remote probe says how long the renewal was held up before it was made, and gets the monitors that have changed. */
  heldMs?: number
  changed?: number[] | null
}

/**
 * Makes the process a prober; returns the id of its membership. The leader, which shares out the slots, is notified.
 */
export async function joinProbers(
  db: Database,
  prober: { region: string; host: string; pid: number },
  leaseSeconds: number,
): Promise<number> {
  const { rows } = await db.pool.query<{ id: number }>({
    name: 'join-probers',
    text: `WITH joined AS (
             INSERT INTO probers (region, host, pid, expires_at, opens_addresses)
             VALUES ($1, $2, $3, now() + $4 * interval '1 second', true) RETURNING id)
           SELECT id, pg_notify('${SLOTS_CHANNEL}', '') FROM joined`,
    values: [prober.region, prober.host, prober.pid, leaseSeconds],
  })
  return (rows[0] as { id: number }).id
}

/**
 * One statement, however many slots there are; null when the membership has ended and others have the slots. Does not
 * use the pool that requests wait for. The slots are named only when others are held than those `known` to the prober.
 */
export async function renewMembership(
  db: Database,
  id: number,
  leaseSeconds: number,
  known: Iterable<number> | null = null,
): Promise<Renewal | null> {
  const { rows } = await db.pipelined.query<Renewal>({
    name: 'renew-membership',
    text: `WITH renewed AS (
             UPDATE probers SET expires_at = clock_timestamp() + $2 * interval '1 second' WHERE id = $1
             RETURNING id, region),
           held AS (
             SELECT count(*) = bit_count($3::bytea) AND count(wanted_by) = 0 AND bool_and(get_bit($3::bytea, slot) = 1)
               AS as_known
             FROM slots WHERE holder = $1)
           SELECT extract(epoch FROM now())::float8 * 1000 AS "databaseMs", ${TURNS_AS_JSON} AS turns,
                  CASE WHEN as_known THEN NULL
                    ELSE ARRAY(SELECT slot FROM slots WHERE holder = $1 ORDER BY slot) END AS slots,
                  ARRAY(SELECT slot FROM slots WHERE holder = $1 AND wanted_by IS NOT NULL ORDER BY slot) AS wanted,
                  (SELECT count(*) FROM probers
                   WHERE id <> $1 AND NOT leaving AND expires_at > now()) AS others,
                  EXISTS (SELECT FROM confirmations c WHERE c.region = renewed.region
                    AND c.claimed_by IS NULL AND c.result IS NULL)
                  OR EXISTS (SELECT FROM trial_checks WHERE claimed_by IS NULL AND result IS NULL
                    AND expires_at > now())
                  OR EXISTS (SELECT FROM diagnoses WHERE claimed_by IS NULL AND ended_at IS NULL AND expires_at > now())
                  OR EXISTS (SELECT FROM diagnoses
                    WHERE claimed_by IS NOT NULL AND began_at < now() - interval '${DIAGNOSIS_CLAIM_MS} ms') AS "isAsked"
           FROM renewed, held`,
    values: [id, leaseSeconds, known && `\\x${bitsOfSlots(known)}`],
  })
  return rows[0] ?? null
}

/** Asks for other probers to take over the slots of this one. */
export async function announceLeaving(db: Database, id: number): Promise<void> {
  await db.pool.query(
    `WITH leaving AS (UPDATE probers SET leaving = true WHERE id = $1 RETURNING id)
     SELECT pg_notify('${SLOTS_CHANNEL}', '') FROM leaving`,
    [id],
  )
}

/** Ends a membership: its slots have no holder then. */
export async function leaveProbers(db: Database, id: number): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const ended = await endMemberships(client, [id])
    if (ended > 0) await client.query(`SELECT pg_notify('${SLOTS_CHANNEL}', '')`)
  })
}

/** Serves a database that no other process can be using. */
export async function endAllMemberships(db: Database): Promise<void> {
  await db.pool.query('DELETE FROM probers')
}

/**
 * The memberships that live, of these; locked, they stay alive until the transaction ends. The lock lets renewals pass.
 */
export async function holdMemberships(client: Connection, ids: number[]): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>({
    name: 'hold-memberships',
    text: 'SELECT id FROM probers WHERE id = ANY($1) ORDER BY id FOR KEY SHARE',
    values: [ids],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Hands slots over to the probers that are to have them, with all ticks from `dueFrom` on and the checks of the
 * monitors `cut`, which were given up. Without `dueFrom` the slots go on as they came, with no check made. Returns the
 * slots that no prober is to have any more.
 */
export async function handOver(
  db: Database,
  id: number,
  slots: number[],
  dueFrom: Date | null,
  cut: number[],
): Promise<number[]> {
  const { rows } = await db.pool.query<{ slot: number }>({
    name: 'hand-over',
    text: `WITH held AS (
             SELECT region, slot FROM slots WHERE holder = $1 AND slot = ANY($2) AND wanted_by IS NOT NULL
             ORDER BY region, slot FOR NO KEY UPDATE),
           handed AS (
             UPDATE slots s SET holder = wanted_by, wanted_by = NULL, due_from = coalesce($3, s.due_from),
               cut = CASE WHEN $3::timestamptz IS NULL THEN s.cut
                ELSE ARRAY(SELECT m.id FROM monitors m WHERE m.id = ANY($4) AND m.slot = s.slot) END
             FROM held WHERE s.region = held.region AND s.slot = held.slot RETURNING s.slot),
           told AS (SELECT pg_notify('${SLOTS_CHANNEL}', '') FROM handed LIMIT 1)
           SELECT slot FROM handed, told`,
    values: [id, slots, dueFrom, cut],
  })
  const handed = new Set(rows.map(({ slot }) => slot))
  return slots.filter((slot) => !handed.has(slot))
}
