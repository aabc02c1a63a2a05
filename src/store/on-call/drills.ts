import { sql } from 'kysely'
import type { ContactType } from '../../core/alerting/contact.ts'
import type { DeliveryState } from '../../core/alerting/delivery-state.ts'
import type { Nobody } from '../../core/on-call/escalation.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

export type DrillRecord = { id: number; name: string; policyId: number; startedAt: Date; resolvedAt: Date }

export async function findDrill(query: Query, teamId: number, id: number): Promise<DrillRecord | null> {
  const row = await query
    .selectFrom('team_incidents as i')
    .innerJoin('escalation_policies as p', 'p.id', 'i.policy_id')
    .select(['i.id', 'p.name', 'p.id as policyId', 'i.started_at as startedAt'])
    .select(sql<Date>`i.resolved_at`.as('resolvedAt'))
    .where('i.team_id', '=', teamId)
    .where('p.team_id', '=', teamId)
    .where('i.kind', '=', 'drill')
    .where('i.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Ends the drills of a policy that are under way, and begins one. The team and the policy are held by the caller. */
export async function insertDrill(
  query: Query,
  teamId: number,
  policyId: number,
  lastsSeconds: number,
): Promise<{ id: number; startedAt: Date }> {
  await sql`
    UPDATE team_incidents SET resolved_at = now()
    WHERE team_id = ${teamId} AND policy_id = ${policyId} AND resolved_at > now()`.execute(query)
  const { rows } = await sql<{ id: number; startedAt: Date }>`
    INSERT INTO team_incidents (kind, team_id, policy_id, started_at, resolved_at)
    VALUES ('drill', ${teamId}, ${policyId}, now(), now() + ${lastsSeconds} * interval '1 second')
    RETURNING id, started_at AS "startedAt"`.execute(query)
  return rows[0] as { id: number; startedAt: Date }
}

export type DrillStep = {
  id: number
  number: number
  at: Date
  isDone: boolean
  schedule: string | null
  nobody: Nobody | null
}

/** Steps that were executed or wait, in order. */
export async function readDrillSteps(query: Query, teamId: number, drillId: number): Promise<DrillStep[]> {
  return query
    .selectFrom('escalation_steps as s')
    .innerJoin('escalations as e', 'e.id', 's.escalation_id')
    .select(['s.id', 's.number', 's.schedule_name as schedule', 's.nobody'])
    .select([sql<Date>`coalesce(s.done_at, s.look_at)`.as('at'), sql<boolean>`s.state = 'done'`.as('isDone')])
    .where('e.team_id', '=', teamId)
    .where('e.kind', '=', 'drill')
    .where('e.team_incident_id', '=', drillId)
    .where('s.state', '<>', 'ended')
    .orderBy('s.number')
    .execute()
}

export type DrillAlert = {
  step: number
  contactName: string
  contactType: ContactType
  state: DeliveryState
  detail: string | null
}

export async function readDrillAlerts(
  query: Query,
  teamId: number,
  stepIds: number[],
): Promise<DrillAlert[]> {
  if (stepIds.length === 0) return []
  return query
    .selectFrom('deliveries as d')
    .select(['d.step', 'd.contact_name as contactName', 'd.contact_type as contactType', 'd.state'])
    .select(
      sql<string | null>`(SELECT a.detail FROM delivery_attempts a WHERE a.delivery_id = d.id
        ORDER BY a.attempt DESC LIMIT 1)`.as('detail'),
    )
    .where('d.team_id', '=', teamId)
    .where('d.step', '=', anyOf(stepIds))
    .where('d.step', '>', 0)
    .orderBy('d.id')
    .execute()
}
