import { Refusal } from '../../core/errors.ts'
import { inWords } from '../../core/language/said.ts'
import { listMemberships } from '../../store/accounts/users.ts'
import { findTeam } from '../../store/teams/teams.ts'
import { userOrRefuse } from '../accounts/operator-accounts.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Lets the operator of this machine act as a member of a team, with that member's role. */
export async function actorOfMember(
  services: Services,
  { team, email }: { team: number; email: string },
): Promise<Actor> {
  const user = await userOrRefuse(services, 'email', email)
  if (!(await findTeam(services.db.query, team))) {
    throw new Refusal('notFound', { detail: inWords(`there is no team ${team}`) })
  }
  const membership = (await listMemberships(services.db.query, user.id)).find(({ id }) => id === team)
  if (!membership) {
    throw Refusal.invalid({ email: [inWords(`email ${user.email} is not a member of team ${team}`)] })
  }
  return { userId: user.id, teamId: team, role: membership.role, plan: membership.plan, door: 'cli' }
}
