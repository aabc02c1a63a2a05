import type { PersonPatch } from '../../core/accounts/account.ts'
import { changePerson } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import type { Session } from '../sign-in/sessions.ts'

/** Changes the signed-in person's profile. The address changes through a letter to the new one instead. */
export async function updatePerson(
  { db, vault }: Services,
  session: Session,
  changes: PersonPatch,
): Promise<void> {
  if (Object.keys(changes).length > 0) await changePerson(db.query, vault, session.userId, changes)
}
