import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { PlanName } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

/** The next subjects of a kind by id, deleted ones included, of teams on a plan. */
export async function subjectsOnPlan(
  db: Database,
  kind: SubjectKind,
  plan: PlanName,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `SELECT s.id FROM subjects s JOIN teams t ON t.id = s.team_id
     WHERE s.kind = $1 AND t.plan = $2 AND s.id > $3 ORDER BY s.id LIMIT $4`,
    [kind, plan, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** A table of all kinds has `subject_id`. `unless`: SQL for rows that stay, where $2 is the cutoff. */
type Removed = {
  subject: `${SubjectKind | 'subject'}_id`
  time: string
  key: string
  unless?: string
}

const TABLES = {
  check_chunks: { subject: 'monitor_id', time: 'day', key: 'monitor_id, day, generation, segment' },
  check_hours: { subject: 'monitor_id', time: 'hour', key: 'monitor_id, hour, region' },
  check_days: { subject: 'monitor_id', time: 'day', key: 'monitor_id, day, region' },
  monitor_pauses: { subject: 'monitor_id', time: 'resumed_at', key: 'monitor_id, paused_at' },
  failing_answers: { subject: 'monitor_id', time: 'checked_at', key: 'id' },
  server_chunks: { subject: 'server_id', time: 'day', key: 'server_id, day, generation' },
  server_hours: { subject: 'server_id', time: 'hour', key: 'server_id, hour' },
  team_incidents: { subject: 'subject_id', time: 'resolved_at', key: 'kind, id' },
  site_findings: { subject: 'site_id', time: 'first_seen_at', key: 'id' },
  site_dns_sets: { subject: 'site_id', time: 'first_seen_at', key: 'site_id, type, set_hash' },
  site_days: { subject: 'site_id', time: 'day', key: 'site_id, day' },
  // The last one before the cutoff says what the status was then.
  subject_status_changes: {
    subject: 'subject_id',
    time: 'at',
    key: 'kind, subject_id, at',
    unless: `NOT EXISTS (SELECT FROM subject_status_changes n
      WHERE n.kind = kept.kind AND n.subject_id = kept.subject_id AND n.at > kept.at AND n.at < $2)`,
  },
} as const satisfies Record<string, Removed>
export type RetainedTable = keyof typeof TABLES

/** Deletes some rows of these subjects from before `cutoff`; true if there may be more. */
export async function removeSomeBefore(
  db: Database,
  table: RetainedTable,
  { kind, ids }: { kind: SubjectKind; ids: number[] },
  cutoff: Date,
): Promise<boolean> {
  const { subject, time, key, unless }: Removed = TABLES[table]
  const isOfAll = subject === 'subject_id'
  return removeSome(db, {
    name: `remove-from-${table}`,
    ...{ table, key: key.split(', ') },
    where: `${isOfAll ? 'kind = $3 AND ' : ''}${subject} = ANY($1) AND ${time} < $2 ${unless ? `AND NOT (${unless})` : ''}`,
    values: isOfAll ? [ids, cutoff, kind] : [ids, cutoff],
  })
}
