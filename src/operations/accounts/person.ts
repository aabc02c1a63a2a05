import type { PersonPatch } from '../../core/accounts/account.ts'
import { renameUser } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import type { Session } from '../sign-in/sessions.ts'

/** Changes the signed-in person's profile. The address changes through a letter to the new one instead. */
export async function updatePerson({ db }: Services, session: Session, { name }: PersonPatch): Promise<void> {
  if (name !== undefined) await renameUser(db.query, session.userId, name)
}
