import { sql } from 'kysely'
import type { ContactRecord } from '../../core/alerting/contact.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { IncidentRecord } from '../../core/monitors/incident.ts'
import type { MonitorSettings, MonitorType } from '../../core/monitors/monitor.ts'
import type { Query } from '../../postgres/database.ts'
import { contactsOfMonitors } from '../alerting/contacts.ts'
import type { Vault } from '../sealing/vault.ts'
import { openHeartbeatToken, openSecrets, SETTING_COLUMNS } from './monitor-columns.ts'

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
  open_incident: IncidentRecord | null
  contacts: ContactRecord[]
}

/** Matches the index. */
const NAME_ORDER = sql`lower(m.name) COLLATE "C"`

export type MonitorFilter = { status?: CheckStatus | undefined; type?: MonitorType | undefined }

export async function countMatching(query: Query, teamId: number, filter: MonitorFilter): Promise<number> {
  const row = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** One page in name order. The index finds the page, and only its monitors are read. */
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

/** Reads the state only for a filter by status. */
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
      ...SETTING_COLUMNS.map((column) => `m.${column}` as const),
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
  const { incident_id, incident_started_at, incident_cause, ...kept } = row
  return {
    ...kept,
    ...openSecrets(row, vault),
    heartbeat_token: row.heartbeat_token && openHeartbeatToken(row.heartbeat_token, row.id, vault),
    open_incident:
      // Under maintenance an incident may go on, but the monitor is not down.
      row.status === 'maintenance' || incident_id === null || incident_started_at === null
        ? null
        : { id: incident_id, startedAt: incident_started_at, resolvedAt: null, cause: incident_cause },
  }
}
