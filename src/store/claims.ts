import type { Database } from '../postgres/database.ts'

/** A table of rows that processes claim and work on. `waiting`: SQL for rows that are still to be worked on. */
export type Queue = {
  table: 'deliveries' | 'status_notices' | 'report_mails' | 'letters'
  waiting: string
}

/** A row that is locked is being settled at this moment: its claim need not be renewed. */
export async function renewClaimsOf(
  { pool }: Database,
  { table, waiting }: Queue,
  holder: string,
  ids: number[],
  leaseSeconds: number,
): Promise<void> {
  await pool.query({
    name: `renew-claims-of-${table}`,
    text: `WITH held AS (
             SELECT id FROM ${table} WHERE id = ANY($2) AND claimed_by = $1 AND ${waiting}
             ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
           UPDATE ${table} q SET claimed_until = now() + $3 * interval '1 second' FROM held WHERE q.id = held.id`,
    values: [holder, ids, leaseSeconds],
  })
}

/** Releases claims of a process, or all claims when no other process can hold one. This does not count as an attempt. */
export async function releaseClaimsOf(
  { pool }: Database,
  { table, waiting }: Queue,
  holder?: string,
  ids?: number[],
): Promise<void> {
  await pool.query({
    name: `release-claims-of-${table}`,
    text: `WITH held AS (
             SELECT id FROM ${table}
             WHERE claimed_by IS NOT NULL AND ${waiting} AND ($1::text IS NULL OR claimed_by::text = $1)
               AND ($2::bigint[] IS NULL OR id = ANY($2))
             ORDER BY id FOR NO KEY UPDATE)
           UPDATE ${table} q SET claimed_by = NULL, claimed_until = NULL FROM held WHERE q.id = held.id`,
    values: [holder ?? null, ids ?? null],
  })
}
