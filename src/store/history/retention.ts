import type { PlanName } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

/** The next monitors, servers or sites by id, deleted ones included, of teams on a plan. */
export async function subjectsOnPlan(
  db: Database,
  subjects: 'monitors' | 'servers' | 'sites',
  plan: PlanName,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `SELECT s.id FROM ${subjects} s JOIN teams t ON t.id = s.team_id
     WHERE t.plan = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
    [plan, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** `table`: where it has another name. `unless`: SQL for rows that stay, where $2 is the cutoff. */
type Removed = {
  table?: string
  subject: string
  time: string
  key: string
  unless?: string
}

const incidentsOf = (kind: 'server' | 'site') => ({
  table: 'team_incidents',
  subject: `kind = '${kind}' AND subject_id`,
  time: 'resolved_at',
  key: 'kind, id',
})

const TABLES = {
  check_chunks: { subject: 'monitor_id', time: 'day', key: 'monitor_id, day, generation, segment' },
  check_hours: { subject: 'monitor_id', time: 'hour', key: 'monitor_id, hour, region' },
  check_days: { subject: 'monitor_id', time: 'day', key: 'monitor_id, day, region' },
  monitor_pauses: { subject: 'monitor_id', time: 'resumed_at', key: 'monitor_id, paused_at' },
  failing_answers: { subject: 'monitor_id', time: 'checked_at', key: 'id' },
  server_chunks: { subject: 'server_id', time: 'day', key: 'server_id, day, generation' },
  server_hours: { subject: 'server_id', time: 'hour', key: 'server_id, hour' },
  server_incidents: incidentsOf('server'),
  site_incidents: incidentsOf('site'),
  site_findings: { subject: 'site_id', time: 'first_seen_at', key: 'id' },
  site_dns_sets: { subject: 'site_id', time: 'first_seen_at', key: 'site_id, type, set_hash' },
  // The last one before the cutoff says what the status was then.
  server_status_changes: {
    subject: 'server_id',
    time: 'at',
    key: 'server_id, at',
    unless: `NOT EXISTS (SELECT FROM server_status_changes n
      WHERE n.server_id = kept.server_id AND n.at > kept.at AND n.at < $2)`,
  },
  site_days: { subject: 'site_id', time: 'day', key: 'site_id, day' },
  site_status_changes: {
    subject: 'site_id',
    time: 'at',
    key: 'site_id, at',
    unless: `NOT EXISTS (SELECT FROM site_status_changes n
      WHERE n.site_id = kept.site_id AND n.at > kept.at AND n.at < $2)`,
  },
} as const satisfies Record<string, Removed>

/** Deletes some rows of these monitors, servers or sites from before `cutoff`; true if there may be more. */
export async function removeSomeBefore(
  db: Database,
  table: keyof typeof TABLES,
  ids: number[],
  cutoff: Date,
): Promise<boolean> {
  const { subject, time, key, unless, ...named }: Removed = TABLES[table]
  return removeSome(db, {
    name: `remove-from-${table}`,
    ...{ table: named.table ?? table, key: key.split(', ') },
    where: `${subject} = ANY($1) AND ${time} < $2 ${unless ? `AND NOT (${unless})` : ''}`,
    values: [ids, cutoff],
  })
}
