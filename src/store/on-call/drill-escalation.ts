import { sql } from 'kysely'
import type { Alert } from '../../core/alerting/alert.ts'
import type { Planned } from '../../core/on-call/escalation.ts'
import type { PolicyStep } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { ESCALATIONS_CHANNEL } from './new-escalations.ts'

/** Writes the steps of a drill, one round of them, in the transaction that begins it. */
export async function insertDrillEscalation(
  query: Query,
  drill: {
    teamId: number
    drillId: number
    policyName: string
    steps: PolicyStep[]
    alert: Alert
    planned: Planned[]
  },
): Promise<void> {
  const { id } = await query
    .insertInto('escalations')
    .values({
      team_id: drill.teamId,
      kind: 'drill',
      team_incident_id: drill.drillId,
      policy_name: drill.policyName,
      steps: JSON.stringify(drill.steps),
      repeats: 0,
      repeat_every_minutes: 1,
      alert: JSON.stringify(drill.alert),
      runs_from: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('escalation_steps')
    .values(
      drill.planned.map(({ dueAt, ...planned }) => ({
        ...planned,
        escalation_id: id,
        due_at: dueAt,
        look_at: dueAt,
      })),
    )
    .returning(sql`pg_notify(${ESCALATIONS_CHANNEL}, '')`.as('notified'))
    .execute()
}
