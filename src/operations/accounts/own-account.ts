import type { OwnDeletion } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { findCredentials, findUser } from '../../store/accounts/users.ts'
import { listSessions } from '../../store/sign-in/sessions.ts'
import type { Services } from '../services.ts'
import { provePassword } from '../sign-in/password-change.ts'
import { requireSecondFactor } from '../sign-in/second-factor.ts'
import type { Session } from '../sign-in/sessions.ts'
import { deleteAccount } from './account-administration.ts'

/** Without a password to prove, an account can be deleted only by a session younger than this. */
const FRESH_MS = 10 * 60_000

/** Deletes the signed-in person's account after they have proved their identity again. */
export async function deleteOwnAccount(services: Services, session: Session, input: OwnDeletion) {
  await proveOnceMore(services, session, input.password)
  await services.db.query.transaction().execute(async (query) => {
    await requireSecondFactor(services, query, session.userId, input.code).catch((error) => {
      if (!(error instanceof Refusal)) throw error
      throw Refusal.invalid({ code: [said('is wrong, or was used already, or is missing')] })
    })
    await deleteAccount(services, query, { userId: session.userId, door: 'dashboard' }, session.userId)
  })
}

async function proveOnceMore(services: Services, session: Session, password: string | null): Promise<void> {
  const user = await findUser(services.db.query, session.userId)
  if (!user) throw new Refusal('unauthorized')
  if ((await findCredentials(services.db.query, user.email))?.passwordHash) {
    await provePassword(services, session, password ?? '')
    return
  }
  const now = services.now()
  const own = (await listSessions(services.db.query, user.id, now)).find(({ id }) => id === session.sessionId)
  if (own && now.getTime() - own.created_at.getTime() <= FRESH_MS) return
  throw Refusal.invalid({
    password: [said('is none of this account: sign out and in again, and delete it within ten minutes')],
  })
}
