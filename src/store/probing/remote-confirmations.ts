import type { CheckStatus } from '../../core/monitors/check.ts'
import type { KnownStatus } from '../../core/monitors/confirmation.ts'
import type { Database } from '../../postgres/database.ts'
import { IS_PROBED, isOpenTo } from './schedule.ts'

/** Queries of remote probes about failures to confirm: each statement is bound to the token or membership that asks. */

/** The known status of these monitors, as far as memberships by this token hold their slots. */
export async function readKnownBy(
  { pool }: Database,
  token: number,
  monitorIds: number[],
): Promise<Map<number, KnownStatus>> {
  const { rows } = await pool.query<{ id: number; status: CheckStatus; passing: number }>({
    name: 'known-by-token',
    text: `SELECT m.id, st.status, st.passing FROM monitors m
           JOIN monitor_state st ON st.monitor_id = m.id
           WHERE m.id = ANY($2) AND EXISTS (SELECT FROM slots s JOIN probers p ON p.id = s.holder
             WHERE s.slot = m.slot AND p.probe_token = $1 AND ${isOpenTo('s.region')})`,
    values: [token, monitorIds],
  })
  return new Map(rows.map(({ id, status, passing }) => [id, { status, passing }]))
}

/** How a monitor's failures are confirmed, and how often it is checked. */
export type Confirmable = { confirmations: number; timeoutMs: number; intervalMs: number }

/** The monitors, of these, that are checked under a membership and whose team wants failures confirmed and that have no attempts of their own. */
export async function readConfirmable(
  { pool }: Database,
  membership: number,
  monitorIds: number[],
): Promise<Map<number, Confirmable>> {
  const { rows } = await pool.query<Confirmable & { id: number }>({
    name: 'read-confirmable',
    text: `SELECT m.id, t.confirmations, m.request_timeout_seconds * 1000 AS "timeoutMs",
             coalesce(m.check_interval_seconds, m.check_interval_minutes * 60)::float8 * 1000 AS "intervalMs"
           FROM monitors m JOIN teams t ON t.id = m.team_id
           JOIN slots s ON s.slot = m.slot AND s.holder = $1
           WHERE m.id = ANY($2) AND ${IS_PROBED} AND m.is_active AND m.deleted_at IS NULL
             AND t.confirmations > 0 AND m.options -> 'attempts' IS NULL AND ${isOpenTo('s.region')}`,
    values: [membership, monitorIds],
  })
  return new Map(rows.map(({ id, ...confirmable }) => [id, confirmable]))
}

/** The requests, of these, that memberships by this token have made. */
export async function requestsOf({ pool }: Database, token: number, ids: number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'asks-of-token',
    text: `SELECT c.id FROM confirmations c JOIN probers p ON p.id = c.asked_by AND p.probe_token = $1
           WHERE c.id = ANY($2)`,
    values: [token, ids],
  })
  return rows.map(({ id }) => id)
}

/** Withdraws requests, except those whose answer passed: these prove the result that comes next. */
export async function withdrawRequests({ pool }: Database, token: number, ids: number[]): Promise<void> {
  await pool.query({
    name: 'withdraw-asks',
    text: `WITH gone AS (
             SELECT id, asked_by FROM confirmations
             WHERE id = ANY($2) AND coalesce(result->>'status', '') NOT IN ('up', 'degraded')
             ORDER BY id FOR UPDATE)
           DELETE FROM confirmations c USING gone JOIN probers p ON p.id = gone.asked_by AND p.probe_token = $1
           WHERE c.id = gone.id`,
    values: [token, ids],
  })
}

/** Ends earlier requests about these monitors. */
export async function endRequestsAbout(
  { pool }: Database,
  membership: number,
  monitorIds: number[],
): Promise<void> {
  await pool.query({
    name: 'end-asks-about',
    text: `WITH gone AS (
             SELECT id FROM confirmations WHERE asked_by = $1 AND monitor_id = ANY($2) ORDER BY id FOR UPDATE)
           DELETE FROM confirmations c USING gone WHERE c.id = gone.id`,
    values: [membership, monitorIds],
  })
}

/** A request that a region is said to have answered. */
export type AnsweredRequest = { membership: number; monitorId: number; region: string }

/** The keys (`answeredKey`) of the requests, of these, that were answered; each answer counts once. */
export async function takeAnswers({ pool }: Database, seen: AnsweredRequest[]): Promise<Set<string>> {
  const { rows } = await pool.query<AnsweredRequest>({
    name: 'take-answers',
    text: `WITH gone AS (
             SELECT id, asked_by, monitor_id FROM confirmations
             WHERE asked_by = ANY($1) AND monitor_id = ANY($2) AND result->>'status' IN ('up', 'degraded')
             ORDER BY id FOR UPDATE)
           DELETE FROM confirmations c USING gone JOIN unnest($1::bigint[], $2::int[]) AS s (membership, monitor_id)
             ON gone.asked_by = s.membership AND gone.monitor_id = s.monitor_id
           WHERE c.id = gone.id
           RETURNING c.asked_by AS membership, c.monitor_id AS "monitorId", c.region`,
    values: [seen.map(({ membership }) => membership), seen.map(({ monitorId }) => monitorId)],
  })
  return new Set(rows.map(answeredKey))
}

export function answeredKey({ membership, monitorId, region }: AnsweredRequest): string {
  return `${membership} ${monitorId} ${region}`
}
