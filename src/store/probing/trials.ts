import { sql } from 'kysely'
import type { CheckResult } from '../../core/monitors/check.ts'
import { readResult } from '../../core/monitors/confirmation.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { TRIAL_KEPT_MS } from '../../core/probing/trial.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import { TAKEN_OF_READY } from '../claims.ts'
import type { Vault } from '../sealing/vault.ts'
import { CONFIRMATIONS_CHANNEL } from './confirmations.ts'

const SETTINGS = 'trial_checks.settings'

/** Asks for a check of settings, and wakes the processes that may make it. Returns the id of the test. */
export async function insertTrial(
  query: Query,
  vault: Vault,
  trial: { teamId: number; userId: number; settings: ProbeSettings; forMs: number },
): Promise<number> {
  const { teamId, userId, settings, forMs } = trial
  const id = await nextId(query, 'trial_checks')
  const sealed = vault.seal(JSON.stringify(settings), SETTINGS, id)
  await sql`
    WITH inserted AS (
      INSERT INTO trial_checks (id, team_id, user_id, settings, expires_at) OVERRIDING SYSTEM VALUE
      VALUES (${id}, ${teamId}, ${userId}, ${sealed}, now() + ${forMs}::float8 * interval '1 millisecond'))
    SELECT pg_notify(${CONFIRMATIONS_CHANNEL}, region) FROM (
      SELECT DISTINCT p.region FROM probers p WHERE p.probe_token IS NULL AND p.expires_at > now()) AS r`.execute(
    query,
  )
  return id
}

export type TrialRecord = {
  isTaken: boolean
  done: { checkedAt: Date; region: string | null; result: CheckResult } | null
}

/** The test of this member; null when there is none, or none any more. */
export async function readTrial(
  query: Query,
  { teamId, userId, id }: { teamId: number; userId: number; id: number },
): Promise<TrialRecord | null> {
  const row = await query
    .selectFrom('trial_checks')
    .where('id', '=', id)
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .select(['claimed_by', 'region', 'result', 'checked_at'])
    .executeTakeFirst()
  if (!row) return null
  const { claimed_by, region, result, checked_at: checkedAt } = row
  return {
    isTaken: claimed_by !== null,
    done: result && checkedAt ? { checkedAt, region: region || null, result: readResult(result) } : null,
  }
}

export type ClaimedTrial = { trial: number; teamId: number; settings: ProbeSettings }

/** Tests that a prober takes on. */
export type TrialClaims = {
  /** `held`: the teams of those that this prober makes, which have that many of its places. */
  claim(membership: number, limit: number, held?: number[]): Promise<ClaimedTrial[]>
  /** Counts while the membership lives; another prober may have taken the test on since. */
  answer(trial: number, membership: number, result: CheckResult): Promise<void>
}

export function createTrialClaims({ pool }: Database, vault: Vault): TrialClaims {
  return {
    async claim(membership, limit, held = []) {
      const { rows } = await pool.query<{ id: number; teamId: number; settings: string }>({
        name: 'trials-claim',
        text: `WITH own AS (SELECT region FROM probers WHERE id = $1 AND expires_at > now()),
               ready AS (
                 -- Each prober has an order of its own, so that few want the same ones.
                 SELECT t.id, t.team_id, hashint8extended(t.id, $2) AS turn FROM trial_checks t, own
                 WHERE t.claimed_by IS NULL AND t.result IS NULL AND t.expires_at > now()
                   AND NOT EXISTS (SELECT FROM reserved_regions r
                     WHERE r.region = own.region AND t.team_id <> ALL(r.team_ids))),
               ${TAKEN_OF_READY},
               due AS (
                 SELECT id FROM trial_checks WHERE id = ANY(ARRAY(SELECT id FROM taken))
                   AND claimed_by IS NULL AND result IS NULL AND expires_at > now()
                 ORDER BY id FOR UPDATE SKIP LOCKED)
               UPDATE trial_checks c SET claimed_by = $1, region = own.region FROM due, own WHERE c.id = due.id
               RETURNING c.id, c.team_id AS "teamId", c.settings`,
        values: [membership, membership, limit, held],
      })
      return rows.map(({ id, teamId, settings }) => ({
        trial: id,
        teamId,
        settings: JSON.parse(vault.open(settings, SETTINGS, id)),
      }))
    },
    async answer(trial, membership, result) {
      await pool.query({
        name: 'trials-answer',
        text: `UPDATE trial_checks SET result = $3, settings = NULL, checked_at = clock_timestamp(),
                 expires_at = clock_timestamp() + $4 * interval '1 millisecond'
               WHERE id = $1 AND claimed_by = $2`,
        values: [trial, membership, JSON.stringify(result), TRIAL_KEPT_MS],
      })
    },
  }
}
