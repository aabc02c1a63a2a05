import { sql } from 'kysely'
import type { Baseline } from '../../core/monitors/incidents/baseline.ts'
import type { DiagnosisFound } from '../../core/monitors/incidents/diagnosis.ts'
import {
  DIAGNOSIS_BEGINS_WITHIN_MS,
  DIAGNOSIS_CLAIM_MS,
  MAX_DIAGNOSES_OF_MONITOR,
  MAX_WAITING_DIAGNOSES,
} from '../../core/monitors/incidents/diagnosis.ts'
import type { PastCheck } from '../../core/monitors/incidents/diagnosis-words.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { isTaken } from '../../postgres/sql-states.ts'
import { TAKEN_OF_READY } from '../claims.ts'
import { inQuarters, QUARTER_OF_AN_HOUR } from '../history/quarters.ts'
import { CONFIRMATIONS_CHANNEL } from '../probing/confirmations.ts'
import { IS_PROBED, SCHEDULED_COLUMNS, SCHEDULED_FROM, type ScheduledMonitor } from '../probing/schedule.ts'
import { readBaseline } from './baselines.ts'

/** Asks for a diagnosis of an incident, unless one is under way, and wakes the processes that may make it. */
export async function requestDiagnosis(
  query: Query,
  { teamId, monitorId, incidentId }: { teamId: number; monitorId: number; incidentId: number },
): Promise<void> {
  await sql`
    WITH asked AS (
      INSERT INTO diagnoses AS d (team_id, monitor_id, team_incident_id, asked_at, expires_at)
      VALUES (${teamId}, ${monitorId}, ${incidentId}, now(), now() + ${DIAGNOSIS_BEGINS_WITHIN_MS} * interval '1 millisecond')
      ON CONFLICT (kind, team_incident_id) DO UPDATE
      SET asked_at = excluded.asked_at, expires_at = excluded.expires_at, ended_at = NULL
      WHERE d.team_id = ${teamId} AND d.claimed_by IS NULL
      RETURNING d.id)
    SELECT pg_notify(${CONFIRMATIONS_CHANNEL}, region) FROM (
      SELECT DISTINCT p.region FROM probers p, asked WHERE p.probe_token IS NULL AND p.expires_at > now()) AS r`.execute(
    query,
  )
}

/**
 * SQL that asks, with the incident that opens, for a look once that is committed: a part `asked` of a statement whose part `opened` has
 * the incident. Probers find the row when they renew their memberships. In an outage of hundreds of monitors of a team the later
 * ones do without: no process would come to them in time.
 */
export const ASKED_WITH_INCIDENT = `asked AS (
    INSERT INTO diagnoses (team_id, monitor_id, team_incident_id, asked_at, expires_at)
    SELECT m.team_id, m.id, o.id, now(), clock_timestamp() + interval '${DIAGNOSIS_BEGINS_WITHIN_MS} ms'
    FROM opened o JOIN monitors m ON o.kind = 'monitor' AND m.id = o.subject_id AND m.team_id = o.team_id
    WHERE ${IS_PROBED} AND (SELECT count(*) FROM diagnoses d
      WHERE d.team_id = o.team_id AND d.claimed_by IS NULL AND d.ended_at IS NULL AND d.expires_at > now())
      < ${MAX_WAITING_DIAGNOSES})`

/** The first line of the diagnosis of an incident, once it is there; null until then, and where nothing could be said. */
export async function readDiagnosisSummary(
  query: Query,
  teamId: number,
  incidentId: number,
): Promise<string | null> {
  const row = await query
    .selectFrom('diagnoses')
    .where('team_id', '=', teamId)
    .where('kind', '=', 'monitor')
    .where('team_incident_id', '=', incidentId)
    .select('found')
    .executeTakeFirst()
  return row?.found?.outcome === 'diagnosed' ? row.found.summary : null
}

export type DiagnosisRecord = {
  isClaimed: boolean
  /** No process has begun it in time. */
  isLate: boolean
  /** Nothing is sent to the target of its monitor now. */
  isPaused: boolean
  endedAt: Date | null
  found: DiagnosisFound | null
}

/** The diagnosis of an incident; null where none was asked for. */
export async function readDiagnosis(
  query: Query,
  { teamId, incidentId }: { teamId: number; incidentId: number },
): Promise<DiagnosisRecord | null> {
  const found = await query
    .selectFrom('diagnoses')
    .where('team_id', '=', teamId)
    .where('kind', '=', 'monitor')
    .where('team_incident_id', '=', incidentId)
    .select([
      sql<boolean>`claimed_by IS NOT NULL AND began_at >= now() - ${DIAGNOSIS_CLAIM_MS} * interval '1 millisecond'`.as(
        'isClaimed',
      ),
      sql<boolean>`expires_at <= now()`.as('isLate'),
      sql<boolean>`NOT EXISTS (SELECT FROM monitors m WHERE m.id = diagnoses.monitor_id AND m.team_id = ${teamId}
        AND m.is_active AND m.deleted_at IS NULL)`.as('isPaused'),
      'ended_at as endedAt',
      'found',
    ])
    .executeTakeFirst()
  return found ?? null
}

export type ClaimedDiagnosis = {
  diagnosis: number
  incidentId: number
  startedAt: Date
  region: string
  monitor: ScheduledMonitor
}

/** The part of a monitor's own history that a diagnosis tells. */
export type DiagnosisFacts = {
  regions: PastCheck[]
  lastPassed: PastCheck | null
  baseline: Baseline | null
  certificateExpiresAt: Date | null
}

/** A monitor of the same team, with the plain part of its address. */
export type NamedTarget = { name: string; url: string; status: string }

/** Diagnoses that a prober takes on. */
export type DiagnosisClaims = {
  /** At most one of each team is under way. `held`: the teams of those that this prober makes. */
  claim(membership: number, limit: number, held?: number[]): Promise<ClaimedDiagnosis[]>
  readFacts(claimed: ClaimedDiagnosis): Promise<DiagnosisFacts>
  /** Other monitors of the team whose address names one of these hosts somewhere. */
  readOthers(claimed: ClaimedDiagnosis, hosts: readonly string[]): Promise<NamedTarget[]>
  /** Counts while it is this prober's; another one may have begun it since. */
  answer(claimed: ClaimedDiagnosis, membership: number, found: DiagnosisFound): Promise<void>
  /** Leaves it to another prober. */
  release(claimed: ClaimedDiagnosis, membership: number): Promise<void>
}

/** How far back checks are looked for. */
const LOOK_BACK = "interval '1 day'"
const MAX_REGIONS = 20
const MAX_NAMED = 200

export function createDiagnosisClaims({ pool }: Database): DiagnosisClaims {
  return {
    async claim(membership, limit, held = []) {
      await pool.query({ name: 'diagnoses-free', text: FREE })
      try {
        const { rows } = await pool.query<ScheduledMonitor & Omit<ClaimedDiagnosis, 'monitor'>>({
          name: 'diagnoses-claim',
          text: CLAIM,
          values: [membership, membership, limit, held],
        })
        return rows.map(({ diagnosis, incidentId, startedAt, region, ...monitor }) => ({
          ...{ diagnosis, incidentId, startedAt, region },
          monitor,
        }))
      } catch (error) {
        // Another process has begun one of the same team at the same moment: the next look finds that.
        if (isTaken(error)) return []
        throw error
      }
    },
    async readFacts({ monitor, startedAt }) {
      const values = [monitor.team_id, monitor.id]
      const [regions, passed, state, baseline] = await Promise.all([
        pool.query<PastCheck>({ name: 'diagnoses-regions', text: REGIONS, values }),
        pool.query<PastCheck>({
          name: 'diagnoses-passed',
          text: LAST_PASSED,
          values: [...values, startedAt],
        }),
        pool.query<{ expiresAt: Date | null }>({ name: 'diagnoses-certificate', text: CERTIFICATE, values }),
        readBaseline(pool, monitor),
      ])
      return {
        regions: regions.rows,
        lastPassed: passed.rows[0] ?? null,
        baseline,
        certificateExpiresAt: state.rows[0]?.expiresAt ?? null,
      }
    },
    async readOthers({ monitor }, hosts) {
      const { rows } = await pool.query<NamedTarget>({
        name: 'diagnoses-others',
        text: OTHERS,
        values: [monitor.team_id, monitor.id, hosts.map((host) => host.toLowerCase())],
      })
      return rows
    },
    async answer({ diagnosis, monitor }, membership, found) {
      await pool.query({
        name: 'diagnoses-answer',
        text: `UPDATE diagnoses SET found = $4, ended_at = clock_timestamp(), claimed_by = NULL
               WHERE id = $1 AND team_id = $2 AND claimed_by = $3`,
        values: [diagnosis, monitor.team_id, membership, JSON.stringify(found)],
      })
      await pool.query({
        name: 'diagnoses-forget',
        text: FORGET,
        values: [monitor.team_id, monitor.id, MAX_DIAGNOSES_OF_MONITOR],
      })
    },
    async release({ diagnosis, monitor }, membership) {
      await pool.query({
        name: 'diagnoses-release',
        text: 'UPDATE diagnoses SET claimed_by = NULL WHERE id = $1 AND team_id = $2 AND claimed_by = $3',
        values: [diagnosis, monitor.team_id, membership],
      })
    },
  }
}

/** Ends claims of processes that are gone. Their rows are begun again, or are late by now. */
const FREE = `WITH lapsed AS (
    SELECT id FROM diagnoses WHERE claimed_by IS NOT NULL AND began_at < now() - interval '${DIAGNOSIS_CLAIM_MS} ms'
    ORDER BY id FOR UPDATE SKIP LOCKED)
  UPDATE diagnoses d SET claimed_by = NULL FROM lapsed WHERE d.id = lapsed.id`

const CLAIM = `WITH own AS (
    SELECT region FROM probers WHERE id = $1 AND probe_token IS NULL AND expires_at > now()),
  ready AS (
    SELECT DISTINCT ON (d.team_id) d.id, d.team_id, hashint8extended(d.id, $2) AS turn FROM diagnoses d, own
    WHERE d.claimed_by IS NULL AND d.ended_at IS NULL AND d.expires_at > now()
      AND NOT EXISTS (SELECT FROM diagnoses u WHERE u.team_id = d.team_id AND u.claimed_by IS NOT NULL)
      -- Nothing is sent to the target of a monitor that was paused or deleted since.
      AND EXISTS (SELECT FROM monitors m WHERE m.team_id = d.team_id AND m.id = d.monitor_id AND m.is_active AND m.deleted_at IS NULL)
      AND NOT EXISTS (SELECT FROM reserved_regions r WHERE r.region = own.region AND d.team_id <> ALL(r.team_ids))
    ORDER BY d.team_id, d.asked_at, d.id),
  ${TAKEN_OF_READY},
  due AS (
    SELECT id FROM diagnoses WHERE id = ANY(ARRAY(SELECT id FROM taken))
      AND claimed_by IS NULL AND ended_at IS NULL AND expires_at > now()
    ORDER BY id FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE diagnoses d SET claimed_by = $1, began_at = clock_timestamp() FROM due WHERE d.id = due.id
    RETURNING d.id, d.monitor_id, d.team_incident_id)
  SELECT ${SCHEDULED_COLUMNS}, NULL::timestamptz AS due_from, false AS cut, c.id AS diagnosis,
    c.team_incident_id AS "incidentId", i.started_at AS "startedAt", own.region
  FROM ${SCHEDULED_FROM} JOIN claimed c ON c.monitor_id = m.id
    JOIN team_incidents i ON i.kind = 'monitor' AND i.id = c.team_incident_id
    CROSS JOIN own`

const PAST_CHECK = `c.checked_at AS "checkedAt", c.status, nullif(c.region, '') AS region,
  c.response_time_ms AS "responseTimeMs", c.http_status_code AS "httpStatusCode", c.error_message AS "errorMessage"`
const OF_MONITOR = `FROM checks c WHERE c.monitor_id = (SELECT id FROM monitors WHERE team_id = $1 AND id = $2)
  AND c.checked_at > now() - ${LOOK_BACK} AND ${inQuarters(`now() - ${LOOK_BACK}`, 'now()')}`

const REGIONS = `SELECT DISTINCT ON (c.region) ${PAST_CHECK} ${OF_MONITOR}
  ORDER BY c.region, c.checked_at DESC LIMIT ${MAX_REGIONS}`

const LAST_PASSED = `SELECT ${PAST_CHECK} ${OF_MONITOR} AND c.status IN ('up', 'degraded') AND c.checked_at < $3
  ORDER BY ${QUARTER_OF_AN_HOUR} DESC, c.checked_at DESC LIMIT 1`

const CERTIFICATE = `SELECT s.ssl_expires_at AS "expiresAt" FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
  WHERE m.team_id = $1 AND m.id = $2`

const OTHERS = `SELECT m.name, m.url, CASE WHEN m.is_active THEN s.status ELSE 'paused' END AS status
  FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
  WHERE m.team_id = $1 AND m.id <> $2 AND m.deleted_at IS NULL AND m.url IS NOT NULL
    AND EXISTS (SELECT FROM unnest($3::text[]) AS h (host) WHERE strpos(lower(m.url), h.host) > 0)
  ORDER BY m.name, m.id LIMIT ${MAX_NAMED}`

const FORGET = `WITH old AS (
    SELECT id FROM diagnoses WHERE team_id = $1 AND monitor_id = $2 ORDER BY asked_at DESC, id DESC OFFSET $3),
  gone AS (
    SELECT id FROM diagnoses WHERE claimed_by IS NULL AND id = ANY(ARRAY(SELECT id FROM old)) ORDER BY id FOR UPDATE)
  DELETE FROM diagnoses d USING gone WHERE d.id = gone.id`
