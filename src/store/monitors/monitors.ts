import { CompiledQuery } from 'kysely'
import type { ContactRecord } from '../../core/alerting/contact.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { IncidentRecord } from '../../core/monitors/incident.ts'
import type { MonitorSettings, MonitorType } from '../../core/monitors/monitor.ts'
import { takeSecrets } from '../../core/monitors/options/secret-options.ts'
import type { SecretSetting } from '../../core/monitors/secret-settings.ts'
import { SLOTS } from '../../core/probing/slot.ts'
import { plainPartOf } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import { type ContactRow, contactsOf, openContact } from '../alerting/contacts.ts'
import { NEWS_CHANNEL } from '../news.ts'
import { MONITORS_CHANNEL } from '../probing/schedule.ts'
import type { Vault } from '../sealing/vault.ts'
import { hashHeartbeatToken } from './monitor-changes.ts'
import {
  openHeartbeatToken,
  openSecrets,
  SETTING_COLUMNS,
  type SealedSecrets,
  sealHeartbeatToken,
  sealSettings,
} from './monitor-columns.ts'

/** A monitor with its state and contacts, secrets in the clear. */
export type MonitorRecord = MonitorSettings & {
  id: number
  heartbeat_token: string | null
  created_at: Date
  badge_id: string
  status: CheckStatus
  status_since: Date
  last_checked_at: Date | null
  ssl_expires_at: Date | null
  heartbeat_due_at: Date | null
  open_incident: IncidentRecord | null
  contacts: ContactRecord[]
}

/** Matches the index. */
const NAME_ORDER = 'lower(m.name) COLLATE "C", m.id'

export type MonitorFilter = { status?: CheckStatus | undefined; type?: MonitorType | undefined }

/** `total` counts all monitors that match the filter. */
export type MonitorPage = { total: number; records: MonitorRecord[] }

/** One page in name order. The index finds the page, and only its monitors are read. */
export async function listMonitors(
  query: Query,
  vault: Vault,
  teamId: number,
  filter: MonitorFilter,
  page: { limit: number; offset: number },
): Promise<MonitorPage> {
  const { matching, values } = monitorsOf(teamId, filter)
  // As subqueries, or each page would be planned anew: a plan for this very limit looks cheaper than one for any.
  const paged = `LIMIT (SELECT $${values.length + 1}::bigint) OFFSET (SELECT $${values.length + 2}::bigint)`
  const rows = await run<SealedMonitor & { total: number }>(
    query,
    `SELECT ${COLUMNS}, (SELECT count(*) ${matching}) AS total
     FROM (SELECT m.id ${matching} ORDER BY ${NAME_ORDER} ${paged}) page ${JOINED_ONE_BY_ONE} ORDER BY ${NAME_ORDER}`,
    [...values, page.limit, page.offset],
  )
  const records = rows.map((row) => openMonitor(row, vault))
  if (rows[0]) return { total: rows[0].total, records }
  // A page after the last one tells nothing about those before it.
  const [counted] = await run<{ total: number }>(query, `SELECT count(*) AS total ${matching}`, values)
  return { total: counted?.total ?? 0, records }
}

export async function findMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitorId: number,
): Promise<MonitorRecord | null> {
  const [row] = await run<SealedMonitor>(
    query,
    `SELECT ${COLUMNS} FROM ${JOINED} WHERE m.team_id = $1 AND m.id = $2 AND m.deleted_at IS NULL`,
    [teamId, monitorId],
  )
  return row ? openMonitor(row, vault) : null
}

/** The IDs after `after` in ascending order, including those of deleted monitors. */
export async function nextMonitorIds(query: Query, after: number, limit: number): Promise<number[]> {
  const rows = await query
    .selectFrom('monitors')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** SQL that finds the monitors of a filter, from FROM on; it reads the state only for a filter by status. */
function monitorsOf(teamId: number, { type, status }: MonitorFilter) {
  const values: unknown[] = [teamId]
  const conditions = ['m.team_id = $1', 'm.deleted_at IS NULL']
  if (type !== undefined) conditions.push(`m.type = $${values.push(type)}`)
  if (status !== undefined) {
    const ofStatus = `s.monitor_id = m.id AND s.status = $${values.push(status)}`
    conditions.push(`EXISTS (SELECT FROM monitor_state s WHERE ${ofStatus})`)
  }
  return { matching: `FROM monitors m WHERE ${conditions.join(' AND ')}`, values }
}

/** Runs a statement as it is: building the same one for each request would take longer than the database does. */
async function run<Row>(query: Query, text: string, values: unknown[]): Promise<Row[]> {
  return (await query.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

const JOINED = `monitors m JOIN monitor_state s ON s.monitor_id = m.id
  LEFT JOIN team_incidents i ON i.kind = 'monitor' AND i.id = s.open_incident_id`

/** The same for the few monitors of a page, each by its index: OFFSET 0 keeps whole tables from being read for them. */
const JOINED_ONE_BY_ONE = `CROSS JOIN LATERAL (SELECT * FROM monitors WHERE id = page.id OFFSET 0) m
  CROSS JOIN LATERAL (SELECT * FROM monitor_state WHERE monitor_id = page.id OFFSET 0) s
  LEFT JOIN LATERAL (SELECT * FROM team_incidents WHERE kind = 'monitor' AND id = s.open_incident_id OFFSET 0) i ON true`

/** The columns of a monitor `m` and its state `s`. */
const OWN_COLUMNS = `m.id, ${SETTING_COLUMNS.map((column) => `m.${column}`).join(', ')},
  m.sealed_url, m.sealed_options, m.heartbeat_token, m.created_at, m.badge_id, s.status, s.status_since, s.last_checked_at, s.ssl_expires_at,
  s.heartbeat_due_at`

const COLUMNS = `${OWN_COLUMNS},
  i.id AS incident_id, i.started_at AS incident_started_at, i.cause AS incident_cause,
  ${contactsOf('m')} AS contacts`

/** The columns of a monitor that has been made right now: it has neither incidents nor contacts. */
const NEW_COLUMNS = `${OWN_COLUMNS},
  NULL AS incident_id, NULL AS incident_started_at, NULL AS incident_cause, NULL AS contacts`

type SealedMonitor = Omit<MonitorRecord, SecretSetting | 'open_incident' | 'contacts'> &
  SealedSecrets & {
    sealed_url: string | null
    sealed_options: string | null
    incident_id: number | null
    incident_started_at: Date | null
    incident_cause: string | null
    contacts: ContactRow[] | null
  }

function openMonitor(row: SealedMonitor, vault: Vault): MonitorRecord {
  const { incident_id, incident_started_at, incident_cause, contacts } = row
  // The row itself becomes the record: to copy its fields takes longer than to read them.
  return Object.assign(row, openSecrets(row, vault), {
    heartbeat_token: row.heartbeat_token && openHeartbeatToken(row.heartbeat_token, row.id, vault),
    open_incident:
      // Under maintenance an incident may go on, but the monitor is not down, nor is a group without members that count.
      row.status === 'maintenance' ||
      row.status === 'pending' ||
      incident_id === null ||
      incident_started_at === null
        ? null
        : { id: incident_id, startedAt: incident_started_at, resolvedAt: null, cause: incident_cause },
    contacts: contacts?.map((contact) => openContact(contact, vault)) ?? [],
  })
}

export type NewMonitor = MonitorSettings & { heartbeat_token: string | null }

/**
 * Writes a monitor with its state, and a pause where it is not active, in one statement, which announces it: to those who
 * watch the team, and to schedulers if `announces` says so and there is something to check. A heartbeat is due first at
 * `heartbeatDueAt`, or `heartbeatDueMs` after its creation by the database's clock. Returns it as it is stored.
 */
export async function insertMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitor: NewMonitor,
  {
    heartbeatDueMs = null,
    heartbeatDueAt = null,
    announces,
  }: { heartbeatDueMs?: number | null; heartbeatDueAt?: Date | null; announces: boolean },
): Promise<MonitorRecord> {
  const { heartbeat_token: token, ...settings } = monitor
  // Only secrets are bound to the id; without them the statement takes one itself.
  const hasSecrets =
    token !== null ||
    settings.request_headers !== null ||
    settings.password !== null ||
    (settings.options !== null && takeSecrets(settings.options).secrets.length > 0) ||
    (settings.url !== null && plainPartOf(settings.url) !== settings.url)
  const id = hasSecrets ? await nextId(query, 'monitors') : null
  const sealed = sealSettings(id ?? 0, settings, vault)
  const { rows } = await query.executeQuery<SealedMonitor>(
    CompiledQuery.raw(INSERT, [
      id,
      teamId,
      Math.floor(Math.random() * SLOTS),
      token && sealHeartbeatToken(token, id ?? 0, vault),
      token && hashHeartbeatToken(token),
      heartbeatDueMs,
      announces,
      sealed.sealed_url,
      sealed.sealed_options,
      heartbeatDueAt,
      ...SETTING_COLUMNS.map((column) => sealed[column]),
    ]),
  )
  return openMonitor(rows[0] as SealedMonitor, vault)
}

const FIRST_SETTING = 11

/** The state takes the revision from the monitor; the last part sees what the others return, and nothing they wrote. */
const INSERT = `
  WITH made AS (
    INSERT INTO monitors (id, team_id, slot, heartbeat_token, heartbeat_token_hash, sealed_url,
      sealed_options, ${SETTING_COLUMNS.join(', ')})
    VALUES (coalesce($1::int, nextval(pg_get_serial_sequence('monitors', 'id'))::int), $2, $3, $4, $5, $8, $9,
      ${SETTING_COLUMNS.map((_, index) => `$${FIRST_SETTING + index}`).join(', ')})
    RETURNING *
  ), state AS (
    INSERT INTO monitor_state (monitor_id, revision, heartbeat_due_at)
    SELECT id, CASE WHEN is_active THEN revision END,
      coalesce($10::timestamptz, created_at + $6::float8 * interval '1 ms') FROM made
    RETURNING *
  ), paused AS (
    INSERT INTO monitor_pauses (monitor_id, paused_at) SELECT id, created_at FROM made WHERE NOT is_active
  )
  SELECT ${NEW_COLUMNS},
    pg_notify('${NEWS_CHANNEL}', json_build_object('team_id', m.team_id, 'event', 'monitors', 'data', '{}'::json)::text),
    CASE WHEN $7 AND m.is_active THEN pg_notify('${MONITORS_CHANNEL}', m.id::text) END
  FROM made m CROSS JOIN state s`
