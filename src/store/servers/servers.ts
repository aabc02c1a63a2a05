import { sql } from 'kysely'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { Condition } from '../../core/servers/condition.ts'
import type { Trends } from '../../core/servers/disk-trend.ts'
import type { Hosted } from '../../core/servers/hosted.ts'
import type { Machine, OtherMachine } from '../../core/servers/machine-report.ts'
import type { NotUnderstood } from '../../core/servers/not-understood.ts'
import type { Sample } from '../../core/servers/series.ts'
import type { ServerSettings } from '../../core/servers/server.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { contactIdsOf } from '../alerting/attachments.ts'
import { flappingSince } from '../alerting/flaps.ts'

/** A server with its state, without its token. */
export type ServerRecord = ServerSettings & {
  id: number
  createdAt: Date
  status: CheckStatus
  statusSince: Date
  flappingSince: Date | null
  lastReportAt: Date | null
  machine: Machine | null
  otherMachine: OtherMachine | null
  notUnderstood: NotUnderstood | null
  latest: Sample
  conditions: Condition[]
  hosted: Hosted | null
  tags: string[]
  trends: Trends | null
  /** The causes of open incidents; those that make it down come first. */
  causes: string[]
}

/** A server as a list shows it: `latest` has the figures of the list alone. */
export type ServerRowRecord = Pick<
  ServerRecord,
  | 'id'
  | 'name'
  | 'is_active'
  | 'status'
  | 'statusSince'
  | 'flappingSince'
  | 'lastReportAt'
  | 'latest'
  | 'causes'
  | 'tags'
> & { hostName: string | null; cpus: number | null }

const NAME_ORDER = sql`lower(s.name) COLLATE "C"`

const CAUSES = sql<string[]>`(
  SELECT coalesce(json_agg(i.cause ORDER BY i.warns_only, i.started_at, i.id), '[]')
  FROM team_incidents i WHERE i.kind = 'server' AND i.subject_id = s.id AND i.resolved_at IS NULL)`

/** The figures of a list: a sample has a hundred, and a team may have 10,000 servers. */
const LISTED_FIGURES = sql<Sample>`(
  SELECT coalesce(json_object_agg(key, value), '{}') FROM jsonb_each(t.latest)
  WHERE key IN ('cpu_percent', 'load_1', 'load_5', 'memory_total_bytes', 'memory_available_bytes')
     OR starts_with(key, 'file_system_used_percent:'))`

function selectServers(query: Query, teamId: number) {
  return query
    .selectFrom('servers as s')
    .innerJoin('server_state as t', 't.server_id', 's.id')
    .where('s.team_id', '=', teamId)
    .where('s.deleted_at', 'is', null)
    .select(['s.id', 's.name', 's.is_active', 's.tags', 't.status', 't.status_since as statusSince'])
    .select(['t.last_report_at as lastReportAt', CAUSES.as('causes')])
    .select(sql.raw<Date | null>(flappingSince('server', 's.id')).as('flappingSince'))
}

/** Servers by name: all of a team, or these. */
export async function listServers(
  query: Query,
  teamId: number,
  ids?: readonly number[],
): Promise<ServerRowRecord[]> {
  return selectServers(query, teamId)
    .$if(ids !== undefined, (rows) => rows.where('s.id', '=', anyOf([...(ids ?? [])])))
    .select(LISTED_FIGURES.as('latest'))
    .select(sql<string | null>`t.machine->>'host_name'`.as('hostName'))
    .select(sql<number | null>`(t.machine->>'cpus')::int`.as('cpus'))
    .orderBy(NAME_ORDER)
    .orderBy('s.id')
    .execute()
}

export async function findServer(
  query: Query,
  teamId: number,
  serverId: number,
): Promise<ServerRecord | null> {
  const row = await selectServers(query, teamId)
    .select(['s.thresholds', 's.created_at as createdAt', 't.machine', 't.other_machine as otherMachine'])
    .select('t.not_understood as notUnderstood')
    .select(['t.latest', 't.trends', 't.hosted'])
    .select(sql<Condition[]>`t.conditions || t.hosted_conditions`.as('conditions'))
    .select(contactIdsOf('server').as('contact_ids'))
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  return row ? { ...row, latest: row.latest ?? {} } : null
}

/** Paused ones count; deleted ones do not. */
export async function countServers(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('servers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
