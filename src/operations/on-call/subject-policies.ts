import { Refusal } from '../../core/errors.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { AppliedPolicy, OwnPolicy } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { appliedPolicy } from '../../store/on-call/applied-policy.ts'
import { choosePolicy, ownPolicy } from '../../store/on-call/policies.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

type Subject = { kind: SubjectKind; id: number }

export const getMonitorPolicy: Implementation<'getMonitorPolicy'> = {
  perform: (services, { actor, record: { id } }) => read(services, actor, { kind: 'monitor', id }),
}
export const getServerPolicy: Implementation<'getServerPolicy'> = {
  perform: (services, { actor, record: { id } }) => read(services, actor, { kind: 'server', id }),
}
export const getSitePolicy: Implementation<'getSitePolicy'> = {
  perform: (services, { actor, record: { id } }) => read(services, actor, { kind: 'site', id }),
}
export const setMonitorPolicy: Implementation<'setMonitorPolicy'> = {
  perform: (services, { actor, record: { id }, body }) =>
    choose(services, actor, { kind: 'monitor', id }, body),
}
export const setServerPolicy: Implementation<'setServerPolicy'> = {
  perform: (services, { actor, record: { id }, body }) =>
    choose(services, actor, { kind: 'server', id }, body),
}
export const setSitePolicy: Implementation<'setSitePolicy'> = {
  perform: (services, { actor, record: { id }, body }) => choose(services, actor, { kind: 'site', id }, body),
}

async function choose(services: Services, actor: Actor, subject: Subject, { policy_id }: OwnPolicy) {
  if (!(await choosePolicy(services.db.query, actor.teamId, subject, policy_id))) {
    const message = `policy_id must be the ID of an escalation policy of the team, got ${policy_id}`
    throw Refusal.invalid({ policy_id: [message] })
  }
  return read(services, actor, subject)
}

async function read({ db }: Services, { teamId }: Actor, subject: Subject) {
  return { body: { data: await present(db.query, teamId, subject) } }
}

async function present(query: Query, teamId: number, subject: Subject): Promise<AppliedPolicy> {
  const [own, applied] = await Promise.all([ownPolicy(query, subject), appliedPolicy(query, teamId, subject)])
  return { policy_id: own, applies: applied && { id: applied.id, name: applied.name } }
}
