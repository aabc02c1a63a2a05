import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { CheckStatus } from '../core/check.ts'
import type { ContactRecord } from '../core/contact.ts'
import type { IncidentRecord } from '../core/incident.ts'
import type { HttpMethod, MonitorType } from '../core/monitor.ts'
import { contactsOfMonitors } from './contacts.ts'
import type { Query } from './database.ts'
import type { Vault } from './vault.ts'

/** Work is shared in this many parts; a fixed number, so that a monitor never changes its slot. */
export const SLOTS = 1_024

const HEADERS = 'monitors.request_headers'
const PASSWORD = 'monitors.password'
const HEARTBEAT_TOKEN = 'monitors.heartbeat_token'

/** What people set, secrets in the clear. */
export type MonitorSettings = {
  name: string
  type: MonitorType
  url: string | null
  isActive: boolean
  checkIntervalMinutes: number
  checkIntervalSeconds: number | null
  httpMethod: HttpMethod
  expectedStatusCodes: number[]
  expectedKeyword: string | null
  port: number | null
  requestTimeoutSeconds: number
  requestHeaders: Record<string, string> | null
  username: string | null
  password: string | null
  sslExpiryWarningDays: number
  heartbeatToken: string | null
}

export type MonitorRecord = MonitorSettings & {
  id: number
  createdAt: Date
  status: CheckStatus
  lastCheckedAt: Date | null
  sslExpiresAt: Date | null
  openIncident: IncidentRecord | null
  contacts: ContactRecord[]
}

export type MonitorFilter = { status?: CheckStatus | undefined; type?: MonitorType | undefined }

export async function countMatching(query: Query, teamId: number, filter: MonitorFilter): Promise<number> {
  const row = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** One page in name order. */
export async function listMonitors(
  query: Query,
  vault: Vault,
  teamId: number,
  filter: MonitorFilter,
  page: { limit: number; offset: number },
): Promise<MonitorRecord[]> {
  const rows = await selectColumns(
    selectMatching(query, teamId, filter)
      .orderBy(sql`lower(m.name) COLLATE "C"`)
      .orderBy('m.id')
      .limit(page.limit)
      .offset(page.offset),
  ).execute()
  return withContacts(query, vault, teamId, rows)
}

export async function findMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitorId: number,
): Promise<MonitorRecord | null> {
  const rows = await selectColumns(selectMatching(query, teamId, {}).where('m.id', '=', monitorId)).execute()
  return (await withContacts(query, vault, teamId, rows))[0] ?? null
}

/** Holds a monitor until the transaction ends: changes of people and of the recorder take turns. */
export async function lockMonitor(query: Query, teamId: number, monitorId: number): Promise<boolean> {
  const row = await query
    .selectFrom('monitors as m')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .select('m.id')
    .where('m.team_id', '=', teamId)
    .where('m.id', '=', monitorId)
    .where('m.deleted_at', 'is', null)
    // Not FOR UPDATE: the recorder's new incidents refer to the monitor, and must not wait for us.
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  settings: MonitorSettings,
  heartbeatDueAt: Date | null,
): Promise<number> {
  const { id, revision } = await query
    .insertInto('monitors')
    .values({
      ...toColumns(settings, vault),
      team_id: teamId,
      heartbeat_token: settings.heartbeatToken && vault.seal(settings.heartbeatToken, HEARTBEAT_TOKEN),
      heartbeat_token_hash: settings.heartbeatToken ? hashHeartbeatToken(settings.heartbeatToken) : null,
      slot: Math.floor(Math.random() * SLOTS),
    })
    .returning(['id', 'revision'])
    .executeTakeFirstOrThrow()
  await query
    .insertInto('monitor_state')
    .values({
      monitor_id: id,
      revision: settings.isActive ? revision : null,
      heartbeat_due_at: heartbeatDueAt,
    })
    .execute()
  return id
}

/** Writes all settings of a locked monitor. */
export async function updateMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitorId: number,
  settings: MonitorSettings,
): Promise<void> {
  await query
    .updateTable('monitors')
    .set(toColumns(settings, vault))
    .where('team_id', '=', teamId)
    .where('id', '=', monitorId)
    .execute()
}

export async function updateState(
  query: Query,
  monitorId: number,
  state: {
    status?: CheckStatus
    heartbeatDueAt?: Date | null
    sslExpiresAt?: null
  },
): Promise<void> {
  await query
    .updateTable('monitor_state')
    .set({
      monitor_id: monitorId, // an update of nothing is still an update
      status: state.status,
      heartbeat_due_at: state.heartbeatDueAt,
      ssl_expires_at: state.sslExpiresAt,
    })
    .where('monitor_id', '=', monitorId)
    .execute()
}

/** Resolves the open incident without an alert, as a pause and a deletion do. */
export async function resolveIncidentQuietly(query: Query, monitorId: number, now: Date): Promise<void> {
  await query
    .updateTable('incidents')
    .set({ resolved_at: sql<Date>`greatest(started_at, ${now}::timestamptz)` })
    .where('monitor_id', '=', monitorId)
    .where('resolved_at', 'is', null)
    .execute()
  await query
    .updateTable('monitor_state')
    .set({ open_incident_id: null })
    .where('monitor_id', '=', monitorId)
    .execute()
}

/** Takes a monitor out of the team; its history stays. */
export async function markDeleted(query: Query, teamId: number, monitorId: number, now: Date): Promise<void> {
  await query
    .updateTable('monitors')
    .set({ deleted_at: now })
    .where('team_id', '=', teamId)
    .where('id', '=', monitorId)
    .execute()
  await renewRevision(query, monitorId)
}

/** The team of a deleted monitor, locked; null when there is no such deleted monitor. */
export async function lockDeletedMonitor(query: Query, monitorId: number) {
  return query
    .selectFrom('monitors')
    .select(['team_id', 'name', 'type', 'check_interval_minutes', 'check_interval_seconds'])
    .where('id', '=', monitorId)
    .where('deleted_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function unmarkDeleted(query: Query, teamId: number, monitorId: number): Promise<void> {
  await query
    .updateTable('monitors')
    .set({ deleted_at: null })
    .where('team_id', '=', teamId)
    .where('id', '=', monitorId)
    .execute()
  await renewRevision(query, monitorId)
}

export function hashHeartbeatToken(token: string): Buffer {
  return createHash('sha256').update(token.toLowerCase()).digest()
}

/** Makes the scheduler read the monitor anew; a check that is under way is not judged. */
export async function renewRevision(query: Query, monitorId: number): Promise<void> {
  const { revision, judged } = await query
    .updateTable('monitors')
    .set({ revision: sql<number>`nextval('monitor_revisions')`, changed_at: sql<Date>`now()` })
    .where('id', '=', monitorId)
    .returning(['revision', sql<boolean>`is_active AND deleted_at IS NULL`.as('judged')])
    .executeTakeFirstOrThrow()
  await query
    .updateTable('monitor_state')
    .set({ revision: judged ? revision : null })
    .where('monitor_id', '=', monitorId)
    .execute()
}

function selectMatching(query: Query, teamId: number, filter: MonitorFilter) {
  let rows = query
    .selectFrom('monitors as m')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
  if (filter.type) rows = rows.where('m.type', '=', filter.type)
  if (filter.status) rows = rows.where('s.status', '=', filter.status)
  return rows
}

function selectColumns(matching: ReturnType<typeof selectMatching>) {
  return matching
    .leftJoin('incidents as i', 'i.id', 's.open_incident_id')
    .select([
      'm.id',
      'm.name',
      'm.type',
      'm.url',
      'm.is_active',
      'm.check_interval_minutes',
      'm.check_interval_seconds',
      'm.http_method',
      'm.expected_status_codes',
      'm.expected_keyword',
      'm.port',
      'm.request_timeout_seconds',
      'm.request_headers',
      'm.username',
      'm.password',
      'm.ssl_expiry_warning_days',
      'm.heartbeat_token',
      'm.created_at',
      's.status',
      's.last_checked_at',
      's.ssl_expires_at',
      'i.id as incident_id',
      'i.started_at as incident_started_at',
      'i.cause as incident_cause',
    ])
}

type MonitorRow = Awaited<ReturnType<ReturnType<typeof selectColumns>['execute']>>[number]

async function withContacts(
  query: Query,
  vault: Vault,
  teamId: number,
  rows: MonitorRow[],
): Promise<MonitorRecord[]> {
  const ids = rows.map(({ id }) => id)
  const contacts = await contactsOfMonitors(query, vault, teamId, ids)
  return rows.map((row) => ({ ...openMonitor(row, vault), contacts: contacts.get(row.id) ?? [] }))
}

function openMonitor(row: MonitorRow, vault: Vault): Omit<MonitorRecord, 'contacts'> {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    url: row.url,
    isActive: row.is_active,
    checkIntervalMinutes: row.check_interval_minutes,
    checkIntervalSeconds: row.check_interval_seconds,
    httpMethod: row.http_method,
    expectedStatusCodes: row.expected_status_codes,
    expectedKeyword: row.expected_keyword,
    port: row.port,
    requestTimeoutSeconds: row.request_timeout_seconds,
    ...openSecrets(row, vault),
    username: row.username,
    sslExpiryWarningDays: row.ssl_expiry_warning_days,
    heartbeatToken: row.heartbeat_token && vault.open(row.heartbeat_token, HEARTBEAT_TOKEN),
    createdAt: row.created_at,
    status: row.status,
    lastCheckedAt: row.last_checked_at,
    sslExpiresAt: row.ssl_expires_at,
    openIncident:
      row.incident_id === null || row.incident_started_at === null
        ? null
        : {
            id: row.incident_id,
            startedAt: row.incident_started_at,
            resolvedAt: null,
            cause: row.incident_cause,
          },
  }
}

/** What a probe sends that must not be readable in the database. */
export function openSecrets(row: { request_headers: string | null; password: string | null }, vault: Vault) {
  const headers: Record<string, string> | null =
    row.request_headers === null ? null : JSON.parse(vault.open(row.request_headers, HEADERS))
  return { requestHeaders: headers, password: row.password && vault.open(row.password, PASSWORD) }
}

function toColumns(settings: MonitorSettings, vault: Vault) {
  return {
    name: settings.name,
    type: settings.type,
    url: settings.url,
    is_active: settings.isActive,
    check_interval_minutes: settings.checkIntervalMinutes,
    check_interval_seconds: settings.checkIntervalSeconds,
    http_method: settings.httpMethod,
    expected_status_codes: settings.expectedStatusCodes,
    expected_keyword: settings.expectedKeyword,
    port: settings.port,
    request_timeout_seconds: settings.requestTimeoutSeconds,
    request_headers: settings.requestHeaders && vault.seal(JSON.stringify(settings.requestHeaders), HEADERS),
    username: settings.username,
    password: settings.password && vault.seal(settings.password, PASSWORD),
    ssl_expiry_warning_days: settings.sslExpiryWarningDays,
  }
}
