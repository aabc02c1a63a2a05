import type { CheckResult, CheckStatus } from '../../core/monitors/check.ts'
import { type KnownStatus, type RegionalAttempt, readResult } from '../../core/monitors/confirmation.ts'
import type { Database } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'
import { TAKEN_OF_READY } from '../claims.ts'
import { isOpenTo, SCHEDULED_COLUMNS, SCHEDULED_FROM, type ScheduledMonitor } from './schedule.ts'

/** The payload names the region that is asked. */
export const CONFIRMATIONS_CHANNEL = 'upbeat_confirmations'

export type ConfirmationRequest = {
  monitorId: number
  revision: number
  membership: number
  regions: string[]
  /** How long an answer is useful. */
  forMs: number
}

/** An attempt that another region was asked for; `attempt` is null until it is made. */
export type RequestedAttempt = { id: number; isTaken: boolean; attempt: RegionalAttempt | null }

/** Requests to other regions for an attempt at a monitor. */
export type ConfirmationRequests = {
  knownOf(monitorId: number): Promise<KnownStatus>
  /** Asks the regions; returns the ids of the attempts, one for each region. */
  request(request: ConfirmationRequest): Promise<number[]>
  readAttempts(ids: number[]): Promise<RequestedAttempt[]>
  /** Deletes requests whose answers are no longer awaited. */
  withdraw(ids: number[]): Promise<void>
}

/** Calls that come together share a statement: when many monitors fail at once, all of them are asked about. */
export function createConfirmationRequests({ pool }: Database): ConfirmationRequests {
  const knownOf = gather(async (monitorIds: number[]): Promise<KnownStatus[]> => {
    const { rows } = await pool.query<{ id: number; status: CheckStatus; passing: number }>({
      name: 'confirmations-known',
      text: 'SELECT monitor_id AS id, status, passing FROM monitor_state WHERE monitor_id = ANY($1)',
      values: [monitorIds],
    })
    const known = new Map(rows.map(({ id, status, passing }) => [id, { status, passing }]))
    return monitorIds.map((id) => known.get(id) ?? null)
  })
  const request = gather(async (requests: ConfirmationRequest[]) => {
    const all = requests.flatMap((one) => one.regions.map((region) => ({ ...one, region })))
    const { rows } = await pool.query<{ id: number; monitorId: number }>({
      name: 'confirmations-ask',
      text: `WITH asked AS (
               INSERT INTO confirmations (monitor_id, revision, region, asked_by, expires_at)
               SELECT w.id, w.revision, w.region, p.id, now() + w.ms * interval '1 millisecond'
               FROM unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[], $5::int[])
                 AS w (id, revision, region, prober, ms)
               JOIN probers p ON p.id = w.prober JOIN monitors m ON m.id = w.id
               RETURNING id, monitor_id, region),
             told AS (
               SELECT region, pg_notify('${CONFIRMATIONS_CHANNEL}', region)
               FROM (SELECT DISTINCT region FROM asked) AS r)
             SELECT id, monitor_id AS "monitorId" FROM asked JOIN told USING (region)`,
      values: [
        all.map(({ monitorId }) => monitorId),
        all.map(({ revision }) => revision),
        all.map(({ region }) => region),
        all.map(({ membership }) => membership),
        all.map(({ forMs }) => forMs),
      ],
    })
    return requests.map((one) =>
      rows.filter(({ monitorId }) => monitorId === one.monitorId).map(({ id }) => id),
    )
  })
  const readAttempt = gather(async (ids: number[]): Promise<(RequestedAttempt | null)[]> => {
    const { rows } = await pool.query<{
      id: number
      taken: boolean
      region: string
      result: CheckResult | null
    }>({
      name: 'confirmations-look',
      text: `SELECT id, region, claimed_by IS NOT NULL AS taken, result FROM confirmations WHERE id = ANY($1)`,
      values: [ids],
    })
    const found = new Map(
      rows.map(({ id, region, taken, result }) => [
        id,
        { id, isTaken: taken, attempt: result && { region, result: readResult(result) } },
      ]),
    )
    return ids.map((id) => found.get(id) ?? null)
  })
  const withdrawOne = gather(async (ids: number[]): Promise<null[]> => {
    await pool.query({
      name: 'confirmations-withdraw',
      text: `WITH gone AS (SELECT id FROM confirmations WHERE id = ANY($1) ORDER BY id FOR UPDATE)
             DELETE FROM confirmations c USING gone WHERE c.id = gone.id`,
      values: [ids],
    })
    return ids.map(() => null)
  })
  return {
    knownOf,
    request,
    readAttempts: async (ids) =>
      (await Promise.all(ids.map(readAttempt))).filter((attempt) => attempt !== null),
    withdraw: async (ids) => void (await Promise.all(ids.map(withdrawOne))),
  }
}

/** A request that was claimed, with the monitor to try. */
export type ClaimedConfirmation = { confirmation: number; monitor: ScheduledMonitor }

/** The other side: requests that a prober claims for its region. */
export type ConfirmationClaims = {
  /** `held`: the teams of those that this prober makes, which have that many of its places. */
  claim(membership: number, limit: number, held?: number[]): Promise<ClaimedConfirmation[]>
  answer(confirmation: number, membership: number, result: CheckResult): Promise<void>
}

/** Requests made with earlier settings are left to expire: their answers would not count. */
export function createConfirmationClaims({ pool }: Database): ConfirmationClaims {
  const answer = gather(async (answers: { id: number; membership: number; result: CheckResult }[]) => {
    await pool.query({
      name: 'confirmations-answer',
      text: `WITH held AS (
               SELECT id, claimed_by FROM confirmations WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
             UPDATE confirmations c SET result = a.result
             FROM held JOIN unnest($1::bigint[], $2::bigint[], $3::jsonb[]) AS a (id, prober, result)
               ON held.id = a.id AND held.claimed_by = a.prober
             WHERE c.id = held.id`,
      values: [
        answers.map(({ id }) => id),
        answers.map(({ membership }) => membership),
        answers.map(({ result }) => JSON.stringify(result)),
      ],
    })
    return answers.map(() => null)
  })
  return {
    async claim(membership, limit, held = []) {
      const { rows } = await pool.query<ScheduledMonitor & { confirmation: number }>({
        name: 'confirmations-claim',
        text: `WITH ready AS (
                 -- Each prober has an order of its own, so that few want the same ones.
                 SELECT c.id, m.team_id, hashint8extended(c.id, $2) AS turn FROM confirmations c
                 JOIN probers p ON p.id = $1 AND p.region = c.region AND p.expires_at > now()
                 JOIN monitors m ON m.id = c.monitor_id AND ${isOpenTo('c.region')}
                 WHERE c.claimed_by IS NULL AND c.result IS NULL AND c.expires_at > now()),
               ${TAKEN_OF_READY},
               due AS (
                 SELECT id FROM confirmations WHERE id = ANY(ARRAY(SELECT id FROM taken))
                   AND claimed_by IS NULL AND result IS NULL AND expires_at > now()
                 ORDER BY id FOR UPDATE SKIP LOCKED),
               claimed AS (
                 UPDATE confirmations c SET claimed_by = $1 FROM due WHERE c.id = due.id
                 RETURNING c.id, c.monitor_id, c.revision)
               SELECT ${SCHEDULED_COLUMNS}, NULL::timestamptz AS due_from, false AS cut, c.id AS confirmation
               FROM ${SCHEDULED_FROM} JOIN claimed c ON c.monitor_id = m.id AND c.revision = m.revision`,
        values: [membership, membership, limit, held],
      })
      return rows.map(({ confirmation, ...monitor }) => ({ confirmation, monitor }))
    },
    answer: async (id, membership, result) => void (await answer({ id, membership, result })),
  }
}
