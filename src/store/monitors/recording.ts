import type { FlapRule } from '../../core/alerting/flapping.ts'
import { MAX_CHECKS } from '../../core/expectations/response-times.ts'
import type { Language } from '../../core/language/language.ts'
import type { WarnedCertificate } from '../../core/monitors/certificate.ts'
import { type CheckResult, type CheckStatus, storedMessage } from '../../core/monitors/check.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import { packTimings } from '../../core/monitors/phases.ts'
import type { Connection } from '../../postgres/database.ts'
import { FLAP_RULE } from '../alerting/flaps.ts'
import { QUARTER_OF_AN_HOUR, quarterOf, quartersBetween } from '../history/quarters.ts'

/** The hot path: named statements over arrays, with one round trip per batch. */

export type StateRow = {
  monitorId: number
  revision: number | null
  status: CheckStatus
  statusSince: Date
  lastCheckedAt: Date | null
  sslExpiresAt: Date | null
  warnedCertificate: string | null
  warnedCertificates: readonly WarnedCertificate[] | null
  openIncidentId: number | null
  heartbeatDueAt: Date | null
  passing: number
  failedAttempts: number
  unwellAttempts: number
  nextAttemptAt: Date | null
  unmet: boolean
  /** When it failed, while its incident is open and nobody is alerted of it: a monitor that it depends on is down. */
  heldSince: Date | null
  /** The first check after the last failure, planned or not. */
  failingUntil: Date | null
  /** In milliseconds, those of its last checks, oldest first, where an assertion is about several of them. */
  responseTimes: readonly number[] | null
}

/** Locks states in the order of their IDs, as everywhere, so that batches and users' changes cannot deadlock. */
export async function lockStates(client: Connection, monitorIds: number[]): Promise<StateRow[]> {
  const { rows } = await client.query<StateRow>({
    name: 'lock-states',
    text: `SELECT monitor_id AS "monitorId", revision, status, status_since AS "statusSince",
                  last_checked_at AS "lastCheckedAt",
                  ssl_expires_at AS "sslExpiresAt", warned_certificate AS "warnedCertificate",
                  warned_certificates AS "warnedCertificates",
                  open_incident_id AS "openIncidentId", heartbeat_due_at AS "heartbeatDueAt", passing,
                  failed_attempts AS "failedAttempts", next_attempt_at AS "nextAttemptAt", unmet,
                  held_since AS "heldSince", failing_until AS "failingUntil",
                  unwell_attempts AS "unwellAttempts", response_times AS "responseTimes"
           FROM monitor_state WHERE monitor_id = ANY($1) ORDER BY monitor_id FOR UPDATE`,
    values: [monitorIds],
  })
  return rows
}

/** The response times of the last checks of a day at most that have one, oldest first, in milliseconds. */
export async function readResponseTimes(
  client: Connection,
  monitorIds: number[],
): Promise<Map<number, number[]>> {
  const { rows } = await client.query<{ monitorId: number; times: number[] }>({
    name: 'read-response-times',
    text: `SELECT m.id AS "monitorId", ARRAY(
             SELECT n.response_time_ms FROM (
               SELECT checked_at, response_time_ms FROM checks
               WHERE monitor_id = m.id AND response_time_ms IS NOT NULL AND checked_at >= now() - interval '1 day'
                 AND ${QUARTER_OF_AN_HOUR} = ANY(${quartersBetween("now() - interval '1 day'", "now() + interval '15 minutes'")})
               -- the order of the index: no more of the day is read than is kept
               ORDER BY ${QUARTER_OF_AN_HOUR} DESC, checked_at DESC LIMIT $2) AS n
             ORDER BY n.checked_at) AS times
           FROM unnest($1::int[]) AS m (id)`,
    values: [monitorIds, MAX_CHECKS],
  })
  return new Map(rows.map(({ monitorId, times }) => [monitorId, times]))
}

export type CheckRow = {
  monitorId: number
  checkedAt: Date
  region: string | null
  result: Omit<CheckResult, 'status'> & { status: CheckStatus }
}

export async function insertChecks(client: Connection, checks: CheckRow[]): Promise<void> {
  const column = <T>(read: (check: CheckRow) => T) => checks.map(read)
  await client.query({
    name: 'insert-checks',
    text: `INSERT INTO checks (checked_at, monitor_id, status, response_time_ms, http_status_code, region,
                               error_message, phases)
           SELECT * FROM unnest($1::timestamptz[], $2::int[], $3::text[], $4::int[], $5::smallint[], $6::text[],
                                $7::text[], $8::bytea[])`,
    values: [
      column((check) => check.checkedAt),
      column((check) => check.monitorId),
      column((check) => check.result.status),
      column((check) => check.result.responseTimeMs),
      column((check) => check.result.httpStatusCode),
      column((check) => check.region),
      column((check) => storedMessage(check.result)),
      column((check) => packTimings(check.result)),
    ],
  })
}

/** The keys (`writtenKey`) of those of the checks that are already in the database. */
export async function readWritten(
  client: Connection,
  checks: { monitorId: number; checkedAt: Date }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ monitorId: number; checkedAt: Date }>({
    name: 'read-written',
    text: `SELECT c.monitor_id AS "monitorId", c.checked_at AS "checkedAt"
           FROM unnest($1::int[], $2::timestamptz[]) AS f (monitor_id, checked_at)
           JOIN checks c ON c.monitor_id = f.monitor_id AND c.checked_at = f.checked_at
             -- matches the index
             AND ${quarterOf('c.checked_at')} = ${quarterOf('f.checked_at')}`,
    values: [checks.map(({ monitorId }) => monitorId), checks.map(({ checkedAt }) => checkedAt)],
  })
  return new Set(rows.map(writtenKey))
}

export function writtenKey({ monitorId, checkedAt }: { monitorId: number; checkedAt: Date }): string {
  return `${monitorId} ${checkedAt.getTime()}`
}

export async function updateStates(client: Connection, states: StateRow[]): Promise<void> {
  const column = <T>(read: (state: StateRow) => T) => states.map(read)
  await client.query({
    name: 'update-states',
    text: `UPDATE monitor_state s
           SET status = n.status, status_since = n.status_since, last_checked_at = n.last_checked_at,
               ssl_expires_at = n.ssl_expires_at, warned_certificate = n.warned_certificate,
               warned_certificates = n.warned_certificates,
               open_incident_id = n.open_incident_id, heartbeat_due_at = n.heartbeat_due_at,
               passing = n.passing, failed_attempts = n.failed_attempts, next_attempt_at = n.next_attempt_at,
               unmet = n.unmet, held_since = n.held_since, failing_until = n.failing_until,
               unwell_attempts = n.unwell_attempts, response_times = n.response_times::int[]
           FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::bigint[],
                       $7::timestamptz[], $8::timestamptz[], $9::smallint[], $10::jsonb[], $11::smallint[], $12::timestamptz[],
                       $13::boolean[], $14::timestamptz[], $15::timestamptz[], $16::smallint[], $17::text[])
             AS n (monitor_id, status, last_checked_at, ssl_expires_at, warned_certificate, open_incident_id,
                   heartbeat_due_at, status_since, passing, warned_certificates, failed_attempts, next_attempt_at,
                   unmet, held_since, failing_until, unwell_attempts, response_times)
           WHERE s.monitor_id = n.monitor_id`,
    values: [
      column((state) => state.monitorId),
      column((state) => state.status),
      column((state) => state.lastCheckedAt),
      column((state) => state.sslExpiresAt),
      column((state) => state.warnedCertificate),
      column((state) => state.openIncidentId),
      column((state) => state.heartbeatDueAt),
      column((state) => state.statusSince),
      column((state) => state.passing),
      column((state) => state.warnedCertificates && JSON.stringify(state.warnedCertificates)),
      column((state) => state.failedAttempts),
      column((state) => state.nextAttemptAt),
      column((state) => state.unmet),
      column((state) => state.heldSince),
      column((state) => state.failingUntil),
      column((state) => state.unwellAttempts),
      column((state) => state.responseTimes && `{${state.responseTimes.join()}}`),
    ],
  })
}

/** The times that every finding moves. Most findings change nothing else, and each array costs as much as one of these. */
export const MOVED = ['lastCheckedAt', 'heartbeatDueAt'] as const satisfies readonly (keyof StateRow)[]

/** Writes `MOVED` of states that are the same in everything else. */
export async function moveStates(client: Connection, states: StateRow[]): Promise<void> {
  await client.query({
    name: 'move-states',
    text: `UPDATE monitor_state s
           SET last_checked_at = n.last_checked_at, heartbeat_due_at = n.heartbeat_due_at
           FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[])
             AS n (monitor_id, last_checked_at, heartbeat_due_at)
           WHERE s.monitor_id = n.monitor_id`,
    values: [
      states.map((state) => state.monitorId),
      states.map((state) => state.lastCheckedAt),
      states.map((state) => state.heartbeatDueAt),
    ],
  })
}

/** A monitor as alerts describe it, and the interval of a heartbeat. */
export type Subject = {
  monitorId: number
  teamId: number
  teamName: string
  language?: Language
  name: string
  url: string | null
  /** The whole of it, sealed; null if that is all. */
  sealedUrl: string | null
  intervalSeconds: number
  options?: MonitorOptions | null
  runbookUrl: string | null
  notes: string | null
  /** When its team wants to hear that it flaps; null for never. */
  flapRule?: FlapRule | null
  /** Servers of the team that are down and whose host names occur in the URL; null if there are none. */
  downServers: { name: string; hostName: string }[] | null
  /** The database's clock at the read, and the last time at which jobs are known to have reached us. */
  readAt: Date
  heardUntil: Date | null
}

/** Pings read subjects as well: a heartbeat has no URL, and asks for no server. */
const DOWN_SERVERS = `CASE WHEN m.url IS NOT NULL THEN (
  SELECT json_agg(json_build_object('name', s.name, 'hostName', st.machine ->> 'host_name') ORDER BY s.id)
  FROM servers s JOIN server_state st ON st.server_id = s.id
  WHERE s.team_id = m.team_id AND s.deleted_at IS NULL AND s.is_active AND st.status = 'down'
    AND strpos(lower(m.url), lower(st.machine ->> 'host_name')) > 0) END`

export async function readSubjects(client: Connection, monitorIds: number[]): Promise<Map<number, Subject>> {
  const { rows } = await client.query<Subject>({
    name: 'read-subjects',
    text: `SELECT m.id AS "monitorId", m.team_id AS "teamId", t.name AS "teamName", t.language, m.name, m.url,
                  m.sealed_url AS "sealedUrl",
                  coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS "intervalSeconds", m.options,
                  n.runbook_url AS "runbookUrl", n.notes, ${FLAP_RULE} AS "flapRule", ${DOWN_SERVERS} AS "downServers",
                  clock_timestamp() AS "readAt", (SELECT alive_at FROM scheduler_pulse) AS "heardUntil"
           FROM monitors m JOIN teams t ON t.id = m.team_id LEFT JOIN monitor_notes n ON n.monitor_id = m.id
           WHERE m.id = ANY($1)`,
    values: [monitorIds],
  })
  return new Map(rows.map((row) => [row.monitorId, row]))
}

export type PingRow = {
  monitorId: number
  receivedAt: Date
  kind: string
  exitStatus: number | null
  runId: string | null
  body: Buffer | null
}

export async function insertPings(client: Connection, pings: PingRow[]): Promise<void> {
  if (pings.length === 0) return
  await client.query({
    name: 'insert-pings',
    text: `INSERT INTO pings (received_at, monitor_id, kind, exit_status, run_id, body)
           SELECT * FROM unnest($1::timestamptz[], $2::int[], $3::text[], $4::smallint[], $5::uuid[], $6::bytea[])`,
    values: [
      pings.map((ping) => ping.receivedAt),
      pings.map((ping) => ping.monitorId),
      pings.map((ping) => ping.kind),
      pings.map((ping) => ping.exitStatus),
      pings.map((ping) => ping.runId),
      pings.map((ping) => ping.body),
    ],
  })
}
