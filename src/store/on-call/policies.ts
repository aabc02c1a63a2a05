import { sql } from 'kysely'
import {
  type FieldOfEach,
  SUBJECT_KINDS,
  type SubjectKind,
  type SubjectRef,
} from '../../core/maintenance/subject-kind.ts'
import type { PolicySettings } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'

export type PolicyRecord = PolicySettings & { id: number; createdAt: Date } & FieldOfEach<'s', number>

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
  const columns = { ...settings, steps: JSON.stringify(steps) }
  await updateRecord(query, 'escalation_policies', { teamId, id }, columns)
}

/** Chooses the policy of a subject of the team; null: none of its own. False if the team has no such policy. */
export async function choosePolicy(
  query: Query,
  teamId: number,
  { kind, id }: SubjectRef,
  policyId: number | null,
): Promise<boolean> {
  const notified = changeNotification(teamId, `${kind}s`)
  if (policyId === null) {
    await sql`DELETE FROM subject_policies WHERE kind = ${kind} AND subject_id = ${id}
      RETURNING ${notified}`.execute(query)
    return true
  }
  const { rows } = await sql`
    INSERT INTO subject_policies (kind, subject_id, policy_id)
    SELECT ${kind}, ${id}::int, p.id FROM escalation_policies p
    WHERE p.team_id = ${teamId} AND p.id = ${policyId} FOR KEY SHARE
    ON CONFLICT (kind, subject_id) DO UPDATE SET policy_id = excluded.policy_id
    RETURNING ${notified}`.execute(query)
  return rows.length > 0
}

/** The policy of a subject's own; null for none. */
export async function ownPolicy(query: Query, { kind, id }: SubjectRef): Promise<number | null> {
  const row = await query
    .selectFrom('subject_policies')
    .select('policy_id')
    .where('kind', '=', kind)
    .where('subject_id', '=', id)
    .executeTakeFirst()
  return row?.policy_id ?? null
}

function selectPolicies(query: Query, teamId: number) {
  const count = (kind: SubjectKind) =>
    sql<number>`(SELECT count(*) FROM subject_policies l JOIN subjects s ON s.kind = l.kind AND s.id = l.subject_id
      WHERE l.policy_id = p.id AND l.kind = ${kind} AND s.deleted_at IS NULL)`
  return query
    .selectFrom('escalation_policies as p')
    .select(['p.id', 'p.name', 'p.steps', 'p.repeats', 'p.repeat_every_minutes', 'p.tags'])
    .select('p.created_at as createdAt')
    .select(SUBJECT_KINDS.map((kind) => count(kind).as(`${kind}s` as const)))
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
