import type { CheckStatus } from '../../core/monitors/check.ts'
import type { Query } from '../../postgres/database.ts'

export type BadgeSubject = { monitorId: number; status: CheckStatus; is_active: boolean }

/** The monitor of a badge. The random id is the only credential. Null while the monitor is deleted. */
export async function findBadgeSubject(query: Query, badgeId: string): Promise<BadgeSubject | null> {
  const row = await query
    .selectFrom('monitors as m')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .select(['m.id as monitorId', 's.status', 'm.is_active'])
    .where('m.badge_id', '=', badgeId)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
