import { sql } from 'kysely'
import type { ContactRecord } from '../../core/alerting/contact.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { IncidentRecord } from '../../core/monitors/incident.ts'
import type { HttpMethod, MonitorType } from '../../core/monitors/monitor.ts'
import type { Query } from '../../postgres/database.ts'
import { contactsOfMonitors } from '../alerting/contacts.ts'
import type { Vault } from '../sealing/vault.ts'
import { openHeartbeatToken, openSecrets } from './monitor-secrets.ts'

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
  badgeId: string
  status: CheckStatus
  statusSince: Date
  lastCheckedAt: Date | null
  sslExpiresAt: Date | null
  openIncident: IncidentRecord | null
  contacts: ContactRecord[]
}

/** As the index has it. */
const NAME_ORDER = sql`lower(m.name) COLLATE "C"`

export type MonitorFilter = { status?: CheckStatus | undefined; type?: MonitorType | undefined }

export async function countMatching(query: Query, teamId: number, filter: MonitorFilter): Promise<number> {
  const row = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** One page in name order. The page is found first, by the index, and only its monitors are read. */
export async function listMonitors(
  query: Query,
  vault: Vault,
  teamId: number,
  filter: MonitorFilter,
  page: { limit: number; offset: number },
): Promise<MonitorRecord[]> {
  const ids = selectMatching(query, teamId, filter)
    .select('m.id')
    .orderBy(NAME_ORDER)
    .orderBy('m.id')
    .limit(page.limit)
    .offset(page.offset)
  const rows = await selectRows(query, teamId)
    .where('m.id', 'in', ids)
    .orderBy(NAME_ORDER)
    .orderBy('m.id')
    .execute()
  return withContacts(query, vault, teamId, rows)
}

export async function findMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitorId: number,
): Promise<MonitorRecord | null> {
  const rows = await selectRows(query, teamId).where('m.id', '=', monitorId).execute()
  return (await withContacts(query, vault, teamId, rows))[0] ?? null
}

/** The ids of all monitors, deleted ones too, in order, after the one given. */
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

/** The state is looked at only where it is asked for. */
function selectMatching(query: Query, teamId: number, { type, status }: MonitorFilter) {
  return query
    .selectFrom('monitors as m')
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .$if(type !== undefined, (rows) => rows.where('m.type', '=', type as MonitorType))
    .$if(status !== undefined, (rows) =>
      rows.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('monitor_state as s')
            .select('s.monitor_id')
            .whereRef('s.monitor_id', '=', 'm.id')
            .where('s.status', '=', status as CheckStatus),
        ),
      ),
    )
}

function selectRows(query: Query, teamId: number) {
  return query
    .selectFrom('monitors as m')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .leftJoin('incidents as i', 'i.id', 's.open_incident_id')
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
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
      'm.badge_id',
      's.status',
      's.status_since',
      's.last_checked_at',
      's.ssl_expires_at',
      'i.id as incident_id',
      'i.started_at as incident_started_at',
      'i.cause as incident_cause',
    ])
}

type MonitorRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

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
    heartbeatToken: row.heartbeat_token && openHeartbeatToken(row.heartbeat_token, row.id, vault),
    createdAt: row.created_at,
    badgeId: row.badge_id,
    status: row.status,
    statusSince: row.status_since,
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
