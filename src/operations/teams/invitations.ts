import { randomBytes } from 'node:crypto'
import { nameInMail } from '../../core/accounts/letter.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Language } from '../../core/language/language.ts'
import { said } from '../../core/language/said.ts'
import { translatorOf } from '../../core/language/service.ts'
import { phrase } from '../../core/language/translate.ts'
import type { Role } from '../../core/teams/access.ts'
import type { Invitation } from '../../core/teams/people.ts'
import type { Query } from '../../postgres/database.ts'
import { deleteRecord } from '../../store/records.ts'
import {
  clearInvitations,
  countInvitations,
  findInvitation,
  type InvitationRecord,
  insertInvitation,
  listInvitations as readInvitations,
} from '../../store/teams/invitations.ts'
import { countMembers, hasMemberWithEmail } from '../../store/teams/members.ts'
import { findTeam } from '../../store/teams/teams.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { LetterPermit } from '../accounts/letter-permit.ts'
import { withLetter } from '../accounts/letter-permits.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { currentClient } from '../sign-in/throttle.ts'
import { lockTeamAsOwner } from './members.ts'

const LIFETIME_MS = 7 * 24 * 3_600_000
const MAX_OPEN = 50
const MAX_MEMBERS = 500

export const listInvitations: Implementation<'listInvitations'> = {
  async perform({ db, now }, { actor }) {
    const invitations = await readInvitations(db.query, actor.teamId, now())
    return { body: { data: invitations.map(present) } }
  },
}

/**
 * Creates an invitation with two links, one shown here and one mailed. Both admit the invited person, but only the
 * mailed one proves that they read mail at the address, because the inviter has the other.
 */
export const createInvitation: Implementation<'createInvitation'> = {
  async perform(services, { actor, body }) {
    const { db, now } = services
    const [link, letter] = [newSecret(), newSecret()]
    const createdAt = now()
    const insert = async (query: Query, permit: LetterPermit) => {
      await lockTeamAsOwner(query, actor)
      await clearInvitations(query, actor.teamId, body.email, createdAt)
      await refuseMemberOrTooMany(query, actor.teamId, body.email, createdAt)
      const id = await insertInvitation(query, {
        teamId: actor.teamId,
        email: body.email,
        role: body.role,
        linkHash: hashToken(link),
        letterHash: hashToken(letter),
        invitedBy: actor.userId,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
      })
      const invitation = (await findInvitation(query, actor.teamId, id, createdAt)) as InvitationRecord
      const team = await findTeam(query, actor.teamId)
      if (services.hasMail)
        await mail(services, query, permit, invitation, team && { ...team, id: actor.teamId }, letter)
      return invitation
    }
    const counted = { team: actor.teamId, person: actor.userId, client: currentClient(), mailbox: body.email }
    const created = await withLetter(services, 'invitation', counted, (permit) =>
      db.query.transaction().execute((query) => insert(query, permit)),
    )
    const data = { ...present(created), link: linkOf(services, link), is_mailed: services.hasMail }
    return { body: { data } }
  },
}

export const revokeInvitation: Implementation<'revokeInvitation'> = {
  async perform({ db }, { actor, record }) {
    if (!(await deleteRecord(db.query, 'invitations', actor.teamId, record.id))) throw new Refusal('notFound')
    return {}
  },
}

function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** The secret follows the `#`, which browsers do not send, so that no server logs it. */
function linkOf({ siteUrl }: Services, secret: string): string {
  return `${siteUrl}/invitations#${secret}`
}

async function refuseMemberOrTooMany(query: Query, teamId: number, email: string, now: Date): Promise<void> {
  if (await hasMemberWithEmail(query, teamId, email)) {
    throw Refusal.invalid({ email: [said('is the address of a member already')] })
  }
  const open = await countInvitations(query, teamId, now)
  if (open >= MAX_OPEN) {
    const fault = said('must wait: {count} invitations are open, the most; take one back first', {
      count: MAX_OPEN,
    })
    throw Refusal.invalid({ email: [fault] })
  }
  if (open + (await countMembers(query, teamId)) >= MAX_MEMBERS) {
    throw Refusal.invalid({
      email: [said('is of one too many: a team has at most {max} members', { max: MAX_MEMBERS })],
    })
  }
}

async function mail(
  services: Services,
  query: Query,
  permit: LetterPermit,
  { email, role, expiresAt }: InvitationRecord,
  team: { id: number; name: string; language: Language } | undefined,
  secret: string,
): Promise<void> {
  // The recipient may be a stranger: of all that the inviter could write, only the team's name is mailed.
  const { t, language } = translatorOf(team?.language ?? 'en')
  const letter = {
    to: email,
    language,
    title: t('You are invited to a team on Upbeat'),
    text: t(TEXTS[role], { team: nameInMail(team?.name ?? '', t('without a name')) }),
    link: linkOf(services, secret),
  }
  await services.enqueueLetter(query, permit, letter, expiresAt, team?.id)
}

const TEXTS = {
  owner: phrase(
    'You are invited to the team {team}, as an owner. The link works once, for seven days. If you know nothing of it, do nothing.',
  ),
  admin: phrase(
    'You are invited to the team {team}, as an admin. The link works once, for seven days. If you know nothing of it, do nothing.',
  ),
  viewer: phrase(
    'You are invited to the team {team}, as a viewer. The link works once, for seven days. If you know nothing of it, do nothing.',
  ),
} as const satisfies Record<Role, string>

function present(invitation: InvitationRecord): Invitation {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: formatInstant(invitation.createdAt),
    expires_at: formatInstant(invitation.expiresAt),
  }
}
