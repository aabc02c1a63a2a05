import { MONITOR_TYPES, type MonitorType } from '../../core/monitors/monitor-types.ts'
import type { Awaited } from '../../core/monitors/options/dependencies.ts'
import type { Connection } from '../../postgres/database.ts'

type Reader = Pick<Connection, 'query'>
export type ReadMember = Awaited & { checkRequestedAt: Date | null }

/** SQL for whether monitor `m` is a member of group `g` of its team. Groups are members by ID alone. */
export const CONTAINS = `(g.options -> 'members' @> to_jsonb(m.id) OR (m.type <> 'group' AND g.options -> 'members' ? 'tags'
  AND NOT EXISTS (
    SELECT FROM jsonb_array_elements_text(g.options -> 'members' -> 'tags') AS wanted (tag)
    WHERE NOT EXISTS (
      SELECT FROM unnest(m.tags) AS t WHERE t = wanted.tag OR split_part(t, ':', 1) = wanted.tag))))`

/** The active monitors within groups, at any depth, but for groups: their checks decide how the groups are. */
export async function readMembersWithin(
  client: Reader,
  groupIds: readonly number[],
): Promise<Map<number, ReadMember[]>> {
  const { rows } = await client.query<Omit<ReadMember, 'isProbed'> & { groupId: number; type: MonitorType }>({
    name: 'read-members-within',
    text: `WITH RECURSIVE inside (group_id, team_id, id) AS (
             SELECT g.id, g.team_id, g.id FROM monitors g WHERE g.id = ANY($1)
             UNION
             SELECT i.group_id, i.team_id, one.id FROM inside i
               JOIN monitors g ON g.id = i.id AND g.team_id = i.team_id AND g.type = 'group'
               CROSS JOIN LATERAL (
                 SELECT given.id::int AS id
                 FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(g.options -> 'members') = 'array'
                   THEN g.options -> 'members' ELSE '[]' END) AS given (id)
                 UNION ALL
                 SELECT m.id FROM monitors m WHERE m.team_id = g.team_id AND m.tags <> '{}'
                   AND g.options -> 'members' ? 'tags' AND ${CONTAINS}) AS found
               JOIN monitors one ON one.id = found.id AND one.team_id = i.team_id AND one.is_active AND one.deleted_at IS NULL)
           SELECT i.group_id AS "groupId", m.id, m.type, s.last_checked_at AS "lastCheckedAt",
                  s.next_attempt_at IS NOT NULL AS "isTrying",
                  coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS "intervalSeconds",
                  m.check_requested_at AS "checkRequestedAt"
           FROM inside i JOIN monitors m ON m.id = i.id AND m.team_id = i.team_id AND m.type <> 'group'
           JOIN monitor_state s ON s.monitor_id = m.id
           ORDER BY i.group_id, m.id`,
    values: [groupIds],
  })
  const members = new Map<number, ReadMember[]>()
  for (const { groupId, type, ...row } of rows) {
    const of = members.get(groupId) ?? []
    of.push({ ...row, isProbed: MONITOR_TYPES[type].isProbed })
    members.set(groupId, of)
  }
  return members
}
