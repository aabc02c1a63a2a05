import type { InvitationJoin, InvitationLink } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { Query } from '../../postgres/database.ts'
import { findRole, findUser, findUserByEmail, insertUser } from '../../store/accounts/users.ts'
import { deleteRecord } from '../../store/records.ts'
import { setSessionTeam } from '../../store/sign-in/sessions.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import { type FoundInvitation, findInvitationByLink } from '../../store/teams/invitations.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { type Session, startSession, type Visitor } from '../sign-in/sessions.ts'
import { countWrongSecret } from '../sign-in/throttle.ts'
import { setRole } from './members.ts'

/** The content of an invitation's page, for visitors and signed-in people. */
export async function previewInvitation(
  services: Services,
  { token }: InvitationLink,
  session: Session,
  visitor: Visitor,
) {
  const { query } = services.db
  const invitation = await findAsVisitor(services, token, visitor)
  const { email, isFromLetter } = invitation
  const invited = await findUserByEmail(query, email)
  const isYours = invited !== undefined && invited.id === session.userId
  return {
    team_name: invitation.teamName,
    email,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    // The inviter has the other link, and must not learn from it who has an account.
    has_account: isFromLetter || isYours ? invited !== undefined : null,
    makes_account: makesAccount(services, invitation),
    is_yours: isYours,
  }
}

/**
 * Whether a person without an account can create one through this link. If letters are sent, only the mailed link
 * works: with the other the inviter could create an account for someone else's address.
 */
function makesAccount({ hasMail }: Services, { isFromLetter }: FoundInvitation): boolean {
  return isFromLetter || !hasMail
}

/**
 * Adds the signed-in person to the team. The link is the proof: the account's address may differ from the invited one,
 * since people have several. The audit log records who accepted the invitation of which address. Does not confirm the
 * address: that would end everything the account had before, which requires a question.
 */
export async function acceptInvitation(
  services: Services,
  { token }: InvitationLink,
  session: Session,
  visitor: Visitor,
) {
  await findAsVisitor(services, token, visitor)
  return services.db.query.transaction().execute(async (query) => {
    const user = await findUser(query, session.userId)
    if (!user) throw new Refusal('unauthorized')
    const invitation = await redeem(services, query, token)
    await join(services, query, invitation, user.id, 'acceptInvitation')
    await setSessionTeam(query, session.sessionId, invitation.teamId)
    return { id: invitation.teamId, name: invitation.teamName, role: invitation.role }
  })
}

/**
 * Creates an account for the invited address and adds it to the team; returns the session's `Set-Cookie`. The address
 * counts as confirmed if the link was mailed to it.
 */
export async function joinByInvitation(
  services: Services,
  { token, name, password }: InvitationJoin,
  visitor: Visitor,
): Promise<string> {
  const found = await findAsVisitor(services, token, visitor)
  if (!makesAccount(services, found)) throw letterWanted()
  const passwordHash = await hashNewPassword(services, password, [found.email, name, found.teamName])
  return services.db.query.transaction().execute(async (query) => {
    const invitation = await redeem(services, query, token)
    const { email, isFromLetter } = invitation
    const emailVerifiedAt = isFromLetter ? services.now() : null
    const id = await insertUser(query, { email, name, passwordHash, emailVerifiedAt })
    if (id === null) {
      throw Refusal.invalid({ token: [said('is of an address that has an account: sign in, and accept')] })
    }
    await join(services, query, invitation, id, 'joinByInvitation')
    return startSession(services, query, id, visitor)
  })
}

/** Uses up an invitation and locks its team. */
async function redeem(services: Services, query: Query, token: string): Promise<FoundInvitation> {
  const { teamId } = await findOrRefuse(services, query, token)
  await lockTeam(query, teamId)
  const invitation = await findOrRefuse(services, query, token)
  if (!(await deleteRecord(query, 'invitations', teamId, invitation.id))) throw gone()
  return invitation
}

async function join(
  { now }: Services,
  query: Query,
  { teamId, email, role }: FoundInvitation,
  userId: number,
  action: string,
): Promise<void> {
  if ((await findRole(query, teamId, userId)) !== null) {
    throw Refusal.invalid({ token: [said('is of no use: you are a member of this team already')] })
  }
  await setRole(query, { teamId, userId, role }, 'role')
  const entry = { teamId, at: now(), userId, door: 'dashboard' as const, action }
  await insertAudit(query, { ...entry, subject: email, subjectId: null, fields: [] })
}

async function findOrRefuse({ now }: Services, query: Query, token: string): Promise<FoundInvitation> {
  const found = await findInvitationByLink(query, hashToken(token), now())
  if (!found) throw gone()
  return found
}

/** Counts unknown links, so that guessing is limited, apart from those that are known. */
async function findAsVisitor(
  services: Services,
  token: string,
  { address }: Visitor,
): Promise<FoundInvitation> {
  const found = await findInvitationByLink(services.db.query, hashToken(token), services.now())
  if (found) return found
  await countWrongSecret(services, 'invitation', address)
  throw gone()
}

/** Uses the same words whether the address has an account or not. */
function letterWanted(): Refusal {
  return Refusal.invalid({
    token: [
      said(
        'cannot make an account: use the link in the letter to the address, or sign in to an account and accept',
      ),
    ],
  })
}

function gone(): Refusal {
  return new Refusal('notFound', {
    detail: said(
      'This invitation does not work: it was used or taken back, or has expired. Ask for another one.',
    ),
  })
}
