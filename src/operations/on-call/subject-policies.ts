import { SUBJECTS } from '../../contract/subjects.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { AppliedPolicy, OwnPolicy } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { appliedPolicy } from '../../store/on-call/applied-policy.ts'
import { choosePolicy, ownPolicy } from '../../store/on-call/policies.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { performOnEach } from '../subjects.ts'

export const subjectPolicies = {
  ...performOnEach(SUBJECTS, 'get*Policy', read),
  ...performOnEach(SUBJECTS, 'set*Policy', choose),
}

async function choose(services: Services, actor: Actor, subject: SubjectRef, { policy_id }: OwnPolicy) {
  if (!(await choosePolicy(services.db.query, actor.teamId, subject, policy_id))) {
    const message = said('must be the ID of an escalation policy of the team, got {got}', { got: policy_id })
    throw Refusal.invalid({ policy_id: [message] })
  }
  return read(services, actor, subject)
}

async function read({ db }: Services, { teamId }: Actor, subject: SubjectRef) {
  return { body: { data: await present(db.query, teamId, subject) } }
}

async function present(query: Query, teamId: number, subject: SubjectRef): Promise<AppliedPolicy> {
  const [own, applied] = await Promise.all([ownPolicy(query, subject), appliedPolicy(query, teamId, subject)])
  return { policy_id: own, applies: applied && { id: applied.id, name: applied.name } }
}
