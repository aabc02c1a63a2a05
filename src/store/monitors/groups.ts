import { sql } from 'kysely'
import type { GroupLinks } from '../../core/monitors/groups/group-links.ts'
import type { GroupRule, MemberState } from '../../core/monitors/groups/group-state.ts'
import type { GroupMembers } from '../../core/monitors/options/groups.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import { listCarriers } from '../tags/tags.ts'
import { readLinks } from './dependencies.ts'
import { CONTAINS } from './members-within.ts'

/** Groups of monitors: `options.members` holds IDs of their team, also of some that are deleted, or tags. */

type Reader = Pick<Connection, 'query'>

/** Groups are to be judged anew. */
export const GROUPS_CHANNEL = 'upbeat_groups'

/** A group that may have to be judged, and how many groups stand at most between it and what changed. */
export type GroupToJudge = { id: number; rule: GroupRule | null; depth: number }

/** The active groups that contain some monitors, also by way of others, and the `asked` ones; members come before their groups. */
export async function readGroupsAbove(
  client: Reader,
  monitorIds: readonly number[],
  asked: readonly number[],
): Promise<GroupToJudge[]> {
  const { rows } = await client.query<GroupToJudge>({
    name: 'read-groups-above',
    text: `WITH RECURSIVE above (id, team_id, depth) AS (
             SELECT g.id, g.team_id, 1 FROM monitors m JOIN monitors g ON g.team_id = m.team_id AND g.type = 'group'
               AND g.is_active AND g.deleted_at IS NULL AND ${CONTAINS}
             WHERE m.id = ANY($1)
             UNION
             SELECT g.id, g.team_id, 0 FROM monitors g WHERE g.id = ANY($2) AND g.type = 'group'
             UNION
             SELECT g.id, g.team_id, a.depth + 1 FROM above a JOIN monitors g ON g.team_id = a.team_id AND g.type = 'group'
               AND g.is_active AND g.deleted_at IS NULL AND g.options -> 'members' @> to_jsonb(a.id)
             WHERE a.depth < 10)
           SELECT g.id, g.options -> 'rule' AS rule, max(a.depth) AS depth FROM above a JOIN monitors g ON g.id = a.id
           GROUP BY g.id ORDER BY depth, g.id`,
    values: [monitorIds, asked],
  })
  return rows
}

export type GroupMember = MemberState & { id: number; isGroup: boolean }

/** The members of groups, in the order in which people gave them, or by name. */
export async function readMembers(
  client: Reader,
  groupIds: readonly number[],
): Promise<Map<number, GroupMember[]>> {
  const { rows } = await client.query<GroupMember & { groupId: number }>({
    name: 'read-group-members',
    text: `${MEMBERS} SELECT members.group_id AS "groupId", m.id, m.name, m.is_active AS "isActive", s.status,
             m.type = 'group' AS "isGroup"
           FROM members JOIN monitors m ON m.id = members.id JOIN monitor_state s ON s.monitor_id = m.id
           ORDER BY members.group_id, members.place, lower(m.name), m.id`,
    values: [groupIds],
  })
  const members = new Map<number, GroupMember[]>()
  for (const { groupId, ...member } of rows) {
    const of = members.get(groupId) ?? []
    of.push(member)
    members.set(groupId, of)
  }
  return members
}

/** SQL for the members of the groups $1 that are not deleted. */
const MEMBERS = `WITH members (group_id, id, place) AS (
    SELECT g.id, m.id, given.place FROM monitors g
      CROSS JOIN LATERAL jsonb_array_elements_text(CASE WHEN jsonb_typeof(g.options -> 'members') = 'array'
        THEN g.options -> 'members' ELSE '[]' END) WITH ORDINALITY AS given (id, place)
      JOIN monitors m ON m.id = given.id::int AND m.team_id = g.team_id AND m.deleted_at IS NULL AND m.id <> g.id
    WHERE g.id = ANY($1) AND g.type = 'group'
    UNION ALL
    SELECT g.id, m.id, 0 FROM monitors g
      JOIN monitors m ON m.team_id = g.team_id AND m.deleted_at IS NULL AND m.tags <> '{}' AND ${CONTAINS}
    WHERE g.id = ANY($1) AND g.type = 'group' AND g.options -> 'members' ? 'tags')`

/** Takes what was asked of these groups, whose states are locked; returns those that something was asked of. */
export async function takeGroupRequests(client: Reader, groupIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>({
    name: 'take-group-requests',
    text: `WITH gone AS (SELECT id FROM group_requests WHERE group_id = ANY($1) ORDER BY id FOR UPDATE)
           DELETE FROM group_requests r USING gone WHERE r.id = gone.id RETURNING r.group_id AS id`,
    values: [groupIds],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Groups that are to be judged anew. */
export async function readAskedGroups({ pool }: Database, most: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'read-asked-groups',
    text: 'SELECT DISTINCT group_id AS id FROM group_requests ORDER BY id LIMIT $1',
    values: [most],
  })
  return rows.map(({ id }) => id)
}

/** Has groups judged anew once the transaction has committed. */
export async function askForGroups(query: Query, groupIds: readonly number[]): Promise<void> {
  if (groupIds.length === 0) return
  await sql`
    INSERT INTO group_requests (group_id) SELECT id FROM unnest(${groupIds}::int[]) AS id
    RETURNING pg_notify(${GROUPS_CHANNEL}, '')`.execute(query)
}

/** The same of the groups that contain some monitors. Their states are locked, or their tags. */
export async function askForGroupsOf(
  query: Query,
  teamId: number,
  monitorIds: readonly number[],
): Promise<void> {
  await sql`
    INSERT INTO group_requests (group_id)
    SELECT g.id FROM monitors g WHERE g.team_id = ${teamId} AND g.type = 'group' AND g.is_active AND g.deleted_at IS NULL
      AND EXISTS (SELECT FROM monitors m WHERE m.team_id = ${teamId} AND m.id = ANY(${monitorIds}::int[])
        AND ${sql.raw(CONTAINS)})
    RETURNING pg_notify(${GROUPS_CHANNEL}, '')`.execute(query)
}

/** The same of the groups that go by tags. */
export async function askForTaggedGroups(query: Query, teamId: number): Promise<void> {
  await sql`
    INSERT INTO group_requests (group_id)
    SELECT g.id FROM monitors g WHERE g.team_id = ${teamId} AND g.type = 'group' AND g.is_active AND g.deleted_at IS NULL
      AND g.options -> 'members' ? 'tags'
    RETURNING pg_notify(${GROUPS_CHANNEL}, '')`.execute(query)
}

/**
 * The links of the groups and parents of a team, of deleted ones too, since they may come back. Groups by tags have the members of
 * this moment.
 */
export async function readGroupLinks(query: Query, teamId: number): Promise<GroupLinks> {
  const { rows } = await sql<{ id: number; members: GroupMembers }>`
    SELECT id, options -> 'members' AS members FROM monitors
    WHERE team_id = ${teamId} AND type = 'group' AND options ? 'members'`.execute(query)
  const carriers = await readCarriers(query, teamId)
  return {
    members: new Map(
      rows.map(({ id, members }) => [id, Array.isArray(members) ? members : (carriers.get(id) ?? [])]),
    ),
    parents: await readLinks(query, teamId),
  }
}

/** The monitors, but for groups, that carry all of some tags; deleted ones among them. */
export async function listTaggedWith(
  query: Query,
  teamId: number,
  tags: readonly string[],
): Promise<number[]> {
  const carriers = await listCarriers(query, teamId, 'monitor', tags)
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM monitors WHERE team_id = ${teamId} AND id = ANY(${carriers}::int[]) AND type <> 'group'
    ORDER BY id`.execute(query)
  return rows.map(({ id }) => id)
}

async function readCarriers(query: Query, teamId: number): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ group_id: number; ids: number[] }>`
    SELECT g.id AS group_id, array_agg(m.id) AS ids FROM monitors g
    JOIN monitors m ON m.team_id = g.team_id AND m.tags <> '{}' AND ${sql.raw(CONTAINS)}
    WHERE g.team_id = ${teamId} AND g.type = 'group' AND g.options -> 'members' ? 'tags' GROUP BY g.id`.execute(
    query,
  )
  return new Map(rows.map(({ group_id, ids }) => [group_id, ids]))
}
