import { sql } from 'kysely'
import { MONITOR_LIST } from '../../core/lists/monitor-list.ts'
import { MonitorType } from '../../core/monitors/monitor-types.ts'
import { showsPort } from '../../core/monitors/target.ts'
import type { Database } from '../../postgres/database.ts'
import { flappingSince } from '../alerting/flaps.ts'
import { contains, isAmong } from '../lists/conditions.ts'
import { inOrderOf, type SubjectList } from '../lists/subject-list.ts'
import type { Vault } from '../sealing/vault.ts'
import { carriesAll } from '../tags/selecting.ts'
import { BRIEF, type BriefRow, LIVE_STATUS, openBrief, type SealedBrief, URGENCY } from './monitor-briefs.ts'

export type MonitorRowRecord = BriefRow & {
  lastCheckedAt: Date | null
  intervalSeconds: number
  schedule: string | null
  cause: string | null
  flappingSince: Date | null
  contactsCount: number
  tags: string[]
}

/** Types whose target ends with its port. */
const WITH_PORT = MonitorType.options
  .filter(showsPort)
  .map((type) => `'${type}'`)
  .join(', ')

const NAME = `lower(m.name) COLLATE "C"`

export const MONITOR_ROWS: SubjectList<typeof MONITOR_LIST> = {
  list: MONITOR_LIST,
  from: 'monitors m JOIN monitor_state s ON s.monitor_id = m.id',
  subject: 'm',
  liveStatus: LIVE_STATUS,
  name: NAME,
  conditions: {
    // A part of the name, or of the target without its query, which is sealed.
    search: (text) => sql`${contains('m.name', text)} OR ${contains('m.url', text)}
      OR m.type IN (${sql.raw(WITH_PORT)}) AND ${contains(`substring(m.url, '//([^/?#]*)') || ':' || m.port`, text)}`,
    status: (status) => sql`${sql.raw(LIVE_STATUS)} = ${status}`,
    type: (type) => sql`m.type = ${type}`,
    tags: (selectors) => carriesAll('m.tags', selectors),
    ids: (ids) => isAmong('m.id', ids),
  },
  sorts: {
    attention: URGENCY,
    name: NAME,
    // Monitors without checks sort as checked longest ago.
    last_checked_at: `coalesce(s.last_checked_at, '-infinity')`,
    created_at: 'm.created_at',
  },
}

/** The rows of these monitors, in this order. */
export async function readMonitorRows(
  { pool }: Pick<Database, 'pool'>,
  vault: Vault,
  teamId: number,
  ids: readonly number[],
): Promise<MonitorRowRecord[]> {
  const { rows } = await pool.query<SealedBrief<MonitorRowRecord>>({
    name: 'monitor-rows',
    text: `
      SELECT ${BRIEF}, s.last_checked_at AS "lastCheckedAt", i.cause, m.tags,
        ${flappingSince('monitor', 'm.id')} AS "flappingSince",
        coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS "intervalSeconds", m.options ->> 'schedule' AS schedule,
        (SELECT count(*) FROM subject_contacts c WHERE c.kind = 'monitor' AND c.subject_id = m.id) AS "contactsCount"
      FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
      LEFT JOIN team_incidents i ON i.kind = 'monitor' AND i.id = s.open_incident_id
      WHERE m.team_id = $1 AND m.id = ANY ($2::int[])`,
    values: [teamId, ids],
  })
  return inOrderOf(ids, rows).map((row) => openBrief(row, vault))
}
