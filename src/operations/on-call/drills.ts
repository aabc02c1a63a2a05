import { drillAlert } from '../../core/alerting/alert.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Planned } from '../../core/on-call/escalation.ts'
import type { PolicyStep } from '../../core/on-call/policy.ts'
import { DRILL_MINUTES, DRILL_STEP_SECONDS, type Drill } from '../../core/on-call/shown-escalation.ts'
import type { Query } from '../../postgres/database.ts'
import { findAcknowledgement } from '../../store/on-call/acknowledgements.ts'
import { insertDrillEscalation } from '../../store/on-call/drill-escalation.ts'
import {
  type DrillRecord,
  findDrill,
  insertDrill,
  readDrillAlerts,
  readDrillSteps,
} from '../../store/on-call/drills.ts'
import { findTeam, lockTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import { throttle } from '../sign-in/throttle.ts'
import { acknowledge } from './acknowledge.ts'
import { presentAcknowledgement } from './present-response.ts'

/** Only writes rows: the loop that executes all steps executes these, a few seconds apart. */
export const startDrill: Implementation<'startDrill'> = {
  async perform({ db, limits }, { actor: { teamId }, record }) {
    await throttle(limits.perTestedTeam, String(teamId))
    const id = await db.query.transaction().execute(async (query) => {
      await lockTeam(query, teamId)
      const team = await findTeam(query, teamId)
      if (!team) throw new Refusal('notFound')
      const lasts = (record.steps.length - 1) * DRILL_STEP_SECONDS + DRILL_MINUTES * 60
      const drill = await insertDrill(query, teamId, record.id, lasts)
      await insertDrillEscalation(query, {
        teamId,
        drillId: drill.id,
        policyName: record.name,
        steps: record.steps,
        alert: drillAlert(team, formatInstant(drill.startedAt), { id: drill.id, policy: record.name }),
        planned: plannedInDrill(record.steps, drill.startedAt),
      })
      return drill.id
    })
    return { body: { data: await readDrill(db.query, teamId, id) } }
  },
}

export const getDrill: Implementation<'getDrill'> = {
  async perform({ db }, { actor, record }) {
    return { body: { data: await present(db.query, actor.teamId, record) } }
  },
}

export const acknowledgeDrill: Implementation<'acknowledgeDrill'> = {
  async perform(services, { actor: { teamId, userId }, record, body }) {
    const ref = { kind: 'drill', id: record.id } as const
    return { body: { data: await acknowledge(services, teamId, ref, { userId }, body) } }
  },
}

function plannedInDrill(steps: PolicyStep[], from: Date): Planned[] {
  return steps.map((_, index) => ({
    kind: 'step',
    number: index + 1,
    round: 0,
    dueAt: new Date(from.getTime() + index * DRILL_STEP_SECONDS * 1_000),
  }))
}

async function readDrill(query: Query, teamId: number, id: number): Promise<Drill> {
  const drill = await findDrill(query, teamId, id)
  if (!drill) throw new Refusal('notFound')
  return present(query, teamId, drill)
}

async function present(
  query: Query,
  teamId: number,
  { id, name, startedAt, resolvedAt }: DrillRecord,
): Promise<Drill> {
  const [acknowledgement, steps] = await Promise.all([
    findAcknowledgement(query, teamId, { kind: 'drill', id }),
    readDrillSteps(query, teamId, id),
  ])
  const alerts = await readDrillAlerts(
    query,
    teamId,
    steps.map((step) => step.id),
  )
  return {
    id,
    policy: name,
    started_at: formatInstant(startedAt),
    ends_at: formatInstant(resolvedAt),
    acknowledgement: acknowledgement && presentAcknowledgement(acknowledgement),
    steps: steps.map(({ id: step, number, at, isDone, schedule, nobody }) => ({
      number,
      at: formatInstant(at),
      is_done: isDone,
      schedule,
      unreached: nobody,
      alerts: alerts
        .filter((alert) => alert.step === step)
        .map(({ contactName, contactType, state, detail }) => ({
          contact_name: contactName,
          contact_type: contactType,
          state,
          detail,
        })),
    })),
  }
}
