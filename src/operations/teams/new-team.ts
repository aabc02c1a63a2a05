import type { OwnTeamCreate } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { mayMakeTeam } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'
import { listMemberships, lockUser, type PersonRow } from '../../store/accounts/users.ts'
import { setSessionTeam } from '../../store/sign-in/sessions.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import { insertTeamOf } from '../accounts/operator-accounts.ts'
import type { Services } from '../services.ts'
import type { Session, Visitor } from '../sign-in/sessions.ts'
import { throttle } from '../sign-in/throttle.ts'

/** The most teams that a person can own where sign-up is open. */
const MAX_FREE = 3

/** Creates a team for the signed-in person and makes it the session's current one. */
export async function createOwnTeam(
  services: Services,
  { name }: OwnTeamCreate,
  session: Session,
  visitor: Visitor,
) {
  const { db, vault, now, opensSignUp } = services
  await throttle(services.limits.perSignInAddress, visitor.address)
  return db.query.transaction().execute(async (query) => {
    const user = await lockUser(query, session.userId)
    if (!user) throw new Refusal('unauthorized')
    await refuseTeam(services, query, user)
    // Operators run their own hardware; where anyone can sign up, teams start on the Free plan.
    const plan = user.is_operator ? 'business' : 'free'
    const isKnown = !opensSignUp || user.is_operator || user.email_verified_at !== null
    const id = await insertTeamOf(query, vault, { name, plan }, user, isKnown)
    await setSessionTeam(query, session.sessionId, id)
    const entry = { teamId: id, at: now(), userId: user.id, door: 'dashboard' as const, action: 'createTeam' }
    await insertAudit(query, { ...entry, subject: name, subjectId: id, fields: ['name'] })
    return { id, name, role: 'owner' as const }
  })
}

async function refuseTeam(
  { opensSignUp }: Services,
  query: Query,
  { id, is_operator: isOperator }: PersonRow,
): Promise<void> {
  if (!mayMakeTeam(isOperator, opensSignUp)) {
    throw new Refusal('forbidden', {
      detail: said('Teams are made by the operator of this service: ask them for one.'),
    })
  }
  if (isOperator) return
  const owned = (await listMemberships(query, id)).filter(({ role }) => role === 'owner')
  if (owned.length < MAX_FREE) return
  throw Refusal.invalid({
    name: [
      said('is of one team too many: you own {count}, the most is {max}', {
        count: owned.length,
        max: MAX_FREE,
      }),
    ],
  })
}
