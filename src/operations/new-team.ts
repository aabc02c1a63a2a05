import { mayMakeTeam } from '../core/access.ts'
import type { OwnTeamCreate } from '../core/account.ts'
import { Refusal } from '../core/errors.ts'
import { insertAudit } from '../store/audit.ts'
import type { Query } from '../store/database.ts'
import { setSessionTeam } from '../store/sessions.ts'
import { listMemberships, lockUser } from '../store/users.ts'
import { insertTeamOf } from './accounts.ts'
import type { Services } from './services.ts'
import type { Session, Visitor } from './sessions.ts'
import { throttle } from './throttle.ts'

const MOST_OWNED = 20

/** Makes a team of who is signed in, at which the session looks then. */
export async function createOwnTeam(
  services: Services,
  { name }: OwnTeamCreate,
  session: Session,
  visitor: Visitor,
) {
  const { db, vault, opensSignUp, now } = services
  await throttle(services.limits.perSignInAddress, visitor.address)
  return db.query.transaction().execute(async (query) => {
    const user = await lockUser(query, session.userId)
    if (!user) throw new Refusal('unauthorized')
    await refuseTeam(services, query, user.id)
    // Where anyone can sign up, teams start as small as that makes them; otherwise the hardware is one's own.
    const plan = opensSignUp ? 'free' : 'business'
    const id = await insertTeamOf(query, vault, { name, plan }, user)
    await setSessionTeam(query, session.sessionId, id)
    const entry = { teamId: id, at: now(), userId: user.id, door: 'dashboard' as const, action: 'createTeam' }
    await insertAudit(query, { ...entry, subject: name, subjectId: id, fields: ['name'] })
    return { id, name, role: 'owner' as const }
  })
}

async function refuseTeam({ opensSignUp }: Services, query: Query, userId: number): Promise<void> {
  const memberships = await listMemberships(query, userId)
  if (!mayMakeTeam(memberships, opensSignUp)) {
    throw new Refusal('forbidden', { detail: 'Only who owns a team already can make another one here.' })
  }
  if (memberships.filter(({ role }) => role === 'owner').length < MOST_OWNED) return
  throw Refusal.invalid({ name: [`name is of one team too many: you own ${MOST_OWNED}, the most`] })
}
