import { SLOTS, type SlotGroup } from '../../core/probing/slot.ts'
import type { Turns } from '../../core/probing/turns.ts'
import type { Connection } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'

export const SLOTS_CHANNEL = 'upbeat_slots'

/** The probers and the turns of regions, at one moment of the database's clock. */
export type ProbingMembers = {
  nowMs: number
  probers: { id: number; region: string; leaving: boolean; expired: boolean }[]
  turns: Turns | null
}

/** The same with the holders of slots. */
export type ProbingState = ProbingMembers & { groups: (SlotGroup & { region: string })[] }

/** The only row of `turns`, as `Turns`. */
export const TURNS_AS_JSON = `(SELECT json_build_object('number', number, 'before', before, 'regions', regions,
  'effectiveAtMs', extract(epoch FROM effective_at)::float8 * 1000,
  'reserved', ARRAY(SELECT region FROM reserved_regions)) FROM turns)`

const MEMBERS = `extract(epoch FROM now())::float8 * 1000 AS "nowMs", ${TURNS_AS_JSON} AS turns,
  (SELECT coalesce(json_agg(json_build_object('id', id, 'region', region, 'leaving', leaving,
     'expired', expires_at < now()) ORDER BY id), '[]') FROM probers) AS probers`

export async function readProbingMembers(client: Pick<Connection, 'query'>): Promise<ProbingMembers> {
  const { rows } = await client.query<ProbingMembers>({ name: 'read-members', text: `SELECT ${MEMBERS}` })
  return rows[0] as ProbingMembers
}

export async function readProbingState(client: Pick<Connection, 'query'>): Promise<ProbingState> {
  const { rows } = await client.query<ProbingState>({
    name: 'read-picture',
    text: `SELECT ${MEMBERS},
             (SELECT coalesce(json_agg(g), '[]') FROM (
                SELECT region, holder, wanted_by AS "wantedBy", array_agg(slot ORDER BY slot) AS slots
                FROM slots GROUP BY region, holder, wanted_by) AS g) AS groups`,
  })
  return rows[0] as ProbingState
}

/** Ends expired memberships. One that a finding is being recorded under is left for the next time. */
export async function endExpiredMemberships(client: Connection): Promise<void> {
  const { rows: expired } = await client.query<{ id: number }>(
    'SELECT id FROM probers WHERE expires_at < now()',
  )
  const ids = expired.map(({ id }) => id)
  await endMemberships(client, ids, 'expires_at < now()')
  const ended = [
    { table: 'overruns', key: 'monitor_id', ended: 'until < now()' },
    { table: 'confirmations', key: 'id', ended: 'expires_at < now()' },
    { table: 'trial_checks', key: 'id', ended: 'expires_at < now()' },
  ] as const
  for (const rows of ended) await client.query(removeEnded(rows))
}

/**
 * Ends memberships, whose slots have no holder then; returns how many. Foreign keys take along what belongs to them in no
 * order: it is locked before, as its other writers lock it, slots before the memberships and checks under way after them.
 * With a condition, those that it is not true of, and those that a finding is being recorded under, stay.
 */
export async function endMemberships(
  client: Pick<Connection, 'query'>,
  memberships: number[],
  condition: 'expires_at < now()' | null = null,
): Promise<number> {
  if (memberships.length === 0) return 0
  for (const rows of [
    'slots WHERE holder = ANY($1) OR wanted_by = ANY($1) ORDER BY region, slot FOR NO KEY UPDATE',
    'confirmations WHERE asked_by = ANY($1) OR claimed_by = ANY($1) ORDER BY id FOR UPDATE',
    'trial_checks WHERE claimed_by = ANY($1) ORDER BY id FOR NO KEY UPDATE',
  ]) {
    await client.query(`SELECT FROM ${rows}`, [memberships])
  }
  const { rows: gone } = await client.query<{ id: number }>(
    condition === null
      ? 'SELECT id FROM probers WHERE id = ANY($1) ORDER BY id FOR UPDATE'
      : `SELECT id FROM probers WHERE id = ANY($1) AND ${condition} ORDER BY id FOR UPDATE SKIP LOCKED`,
    [memberships],
  )
  const ids = gone.map(({ id }) => id)
  await client.query('SELECT FROM overruns WHERE prober = ANY($1) ORDER BY monitor_id FOR UPDATE', [ids])
  await client.query('DELETE FROM probers WHERE id = ANY($1)', [ids])
  return ids.length
}

/** A row that somebody has locked is left for the next time: waiting for it could be a deadlock. */
function removeEnded({ table, key, ended }: { table: keyof Tables; key: string; ended: string }): string {
  return `WITH gone AS (SELECT ${key} FROM ${table} WHERE ${ended} ORDER BY ${key} FOR UPDATE SKIP LOCKED)
    DELETE FROM ${table} t USING gone WHERE t.${key} = gone.${key}`
}

/** Makes the slots that regions lack, and removes those of regions without probers. */
export async function ensureSlotsOf(client: Connection, regions: string[]): Promise<void> {
  await client.query('DELETE FROM slots WHERE region <> ALL($1)', [regions])
  await client.query(
    `INSERT INTO slots (region, slot) SELECT region, slot
     FROM unnest($1::text[]) AS region, generate_series(0, $2 - 1) AS slot
     WHERE (SELECT count(*) FROM slots WHERE slots.region = region.region) < $2 ON CONFLICT DO NOTHING`,
    [regions, SLOTS],
  )
}

export async function writeTurns(client: Connection, turns: Turns): Promise<void> {
  await client.query(
    `INSERT INTO turns (number, before, regions, effective_at)
     VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000))
     ON CONFLICT (only_row) DO UPDATE SET number = excluded.number, before = excluded.before,
       regions = excluded.regions, effective_at = excluded.effective_at`,
    [turns.number, turns.before, turns.regions, turns.effectiveAtMs],
  )
}

export async function announceSlots(client: Connection): Promise<void> {
  await client.query(`SELECT pg_notify('${SLOTS_CHANNEL}', '')`)
}
