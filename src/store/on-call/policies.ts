import { sql } from 'kysely'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { PolicySettings } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'

export type PolicyRecord = PolicySettings & {
  id: number
  createdAt: Date
  monitors: number
  servers: number
  sites: number
}

/** Policies by name. */
export async function listPolicies(query: Query, teamId: number): Promise<PolicyRecord[]> {
  return selectPolicies(query, teamId).orderBy(sql`lower(p.name) COLLATE "C"`).orderBy('p.id').execute()
}

export async function findPolicy(query: Query, teamId: number, id: number): Promise<PolicyRecord | null> {
  return (await selectPolicies(query, teamId).where('p.id', '=', id).executeTakeFirst()) ?? null
}

export async function countPolicies(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('escalation_policies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertPolicy(
  query: Query,
  teamId: number,
  { steps, ...settings }: PolicySettings,
): Promise<number> {
  const { id } = await query
    .insertInto('escalation_policies')
    .values({ ...settings, steps: JSON.stringify(steps), team_id: teamId })
    .returning(['id', changeNotification(teamId, 'on_call').as('notified')])
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePolicy(
  query: Query,
  teamId: number,
  id: number,
  { steps, ...settings }: PolicySettings,
): Promise<void> {
  await query
    .updateTable('escalation_policies')
    .set({ ...settings, steps: JSON.stringify(steps) })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning(changeNotification(teamId, 'on_call').as('notified'))
    .execute()
}

export async function deletePolicy(query: Query, teamId: number, id: number): Promise<void> {
  await query
    .deleteFrom('escalation_policies')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning(changeNotification(teamId, 'on_call').as('notified'))
    .execute()
}

const LINKS = {
  monitor: { table: 'monitor_policies', column: 'monitor_id', of: 'monitors' },
  server: { table: 'server_policies', column: 'server_id', of: 'servers' },
  site: { table: 'site_policies', column: 'site_id', of: 'sites' },
} as const

/** Chooses the policy of a subject of the team; null: none of its own. False if the team has no such policy. */
export async function choosePolicy(
  query: Query,
  teamId: number,
  { kind, id }: { kind: SubjectKind; id: number },
  policyId: number | null,
): Promise<boolean> {
  const { table, column, of } = LINKS[kind]
  if (policyId === null) {
    await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}
      RETURNING ${changeNotification(teamId, of)}`.execute(query)
    return true
  }
  const { rows } = await sql`
    INSERT INTO ${sql.table(table)} (${sql.ref(column)}, policy_id)
    SELECT ${id}::int, p.id FROM escalation_policies p WHERE p.team_id = ${teamId} AND p.id = ${policyId} FOR KEY SHARE
    ON CONFLICT (${sql.ref(column)}) DO UPDATE SET policy_id = excluded.policy_id
    RETURNING ${changeNotification(teamId, of)}`.execute(query)
  return rows.length > 0
}

/** The policy of a subject's own; null for none. */
export async function ownPolicy(
  query: Query,
  { kind, id }: { kind: SubjectKind; id: number },
): Promise<number | null> {
  const { table, column } = LINKS[kind]
  const { rows } = await sql<{ policyId: number }>`
    SELECT policy_id AS "policyId" FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`.execute(query)
  return rows[0]?.policyId ?? null
}

function selectPolicies(query: Query, teamId: number) {
  const count = (kind: SubjectKind) => {
    const { table, column, of } = LINKS[kind]
    return sql<number>`(SELECT count(*) FROM ${sql.table(table)} l JOIN ${sql.table(of)} s ON s.id = ${sql.ref(`l.${column}`)}
      WHERE l.policy_id = p.id AND s.deleted_at IS NULL)`
  }
  return query
    .selectFrom('escalation_policies as p')
    .select(['p.id', 'p.name', 'p.steps', 'p.repeats', 'p.repeat_every_minutes', 'p.tags'])
    .select('p.created_at as createdAt')
    .select([count('monitor').as('monitors'), count('server').as('servers'), count('site').as('sites')])
    .where('p.team_id', '=', teamId)
}

/** The names of the policies with a step that asks a schedule, in order. */
export async function namesOfPoliciesAsking(
  query: Query,
  teamId: number,
  scheduleId: number,
): Promise<string[]> {
  const rows = await query
    .selectFrom('escalation_policies')
    .select('name')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`steps @> ${JSON.stringify([{ schedule_id: scheduleId }])}::jsonb`)
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
