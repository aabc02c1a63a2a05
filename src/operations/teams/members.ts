import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import { type Said, said } from '../../core/language/said.ts'
import { mayUse, type Role } from '../../core/teams/access.ts'
import type { Member } from '../../core/teams/people.ts'
import type { Query } from '../../postgres/database.ts'
import {
  deleteMember,
  findRole,
  hasOtherOwner,
  listMemberships,
  upsertMember,
} from '../../store/accounts/users.ts'
import { endGrantsOf } from '../../store/sign-in/oauth-grants.ts'
import { deleteSessionsOf, moveSessions } from '../../store/sign-in/sessions.ts'
import { deleteInvitationsBy } from '../../store/teams/invitations.ts'
import { findMember, type MemberRecord, listMembers as readMembers } from '../../store/teams/members.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Actor, Implementation } from '../implementation.ts'

export const listMembers: Implementation<'listMembers'> = {
  async perform({ db }, { actor }) {
    const members = await readMembers(db.query, actor.teamId)
    return { body: { data: members.map((member) => present(member, actor)) } }
  },
}

export const updateMember: Implementation<'updateMember'> = {
  async perform({ db }, { actor, record, body }) {
    const changed = await db.query.transaction().execute(async (query) => {
      await lockTeamAsOwner(query, actor)
      if ((await findRole(query, actor.teamId, record.id)) === null) throw new Refusal('notFound')
      await setRole(query, { teamId: actor.teamId, userId: record.id, role: body.role }, 'role')
      return (await findMember(query, actor.teamId, record.id)) as MemberRecord
    })
    return { body: { data: present(changed, actor) } }
  },
}

export const removeMember: Implementation<'removeMember'> = {
  async perform({ db, now }, { actor, record }) {
    await db.query.transaction().execute(async (query) => {
      await lockTeamAsOwner(query, actor)
      await refuseLosingLastOwner(query, actor.teamId, record.id, 'member')
      if (!(await endMembership(query, actor.teamId, record.id, now()))) throw new Refusal('notFound')
      await deleteSessionsOf(query, record.id)
    })
    return {}
  },
}

/** The member's sessions continue in another of their teams. */
export const leaveTeam: Implementation<'leaveTeam'> = {
  async perform({ db, now }, { actor }) {
    await db.query.transaction().execute(async (query) => {
      await lockTeam(query, actor.teamId)
      await refuseLosingLastOwner(query, actor.teamId, actor.userId, 'team')
      if (!(await endMembership(query, actor.teamId, actor.userId, now()))) throw new Refusal('notFound')
      const [other] = await listMemberships(query, actor.userId)
      await moveSessions(query, actor.userId, actor.teamId, other?.id ?? null)
    })
    return {}
  },
}

/** Adds a member, or changes a member's role, which ends their sessions. The team must be locked. */
export async function setRole(
  query: Query,
  member: { teamId: number; userId: number; role: Role },
  field: string,
): Promise<void> {
  const { teamId, userId, role } = member
  if (role !== 'owner') await refuseLosingLastOwner(query, teamId, userId, field)
  const former = await findRole(query, teamId, userId)
  if (former === role) return
  await upsertMember(query, member)
  if (former === null) return
  await deleteSessionsOf(query, userId)
  if (former === 'owner') await deleteInvitationsBy(query, teamId, userId)
}

/**
 * Ends a membership with its invitations and its grants to programs. False if the user is not a member. The team must
 * be locked.
 */
export async function endMembership(
  query: Query,
  teamId: number,
  userId: number,
  now: Date,
): Promise<boolean> {
  await deleteInvitationsBy(query, teamId, userId)
  const isEnded = await deleteMember(query, teamId, userId)
  // After the membership: a program that is being connected waits for that lock, and then finds no membership.
  await endGrantsOf(query, userId, now, teamId)
  return isEnded
}

/** A team never loses its last owner; disabled owners do not count. The team must be locked. */
export async function refuseLosingLastOwner(
  query: Query,
  teamId: number,
  userId: number,
  field: string,
): Promise<void> {
  if ((await findRole(query, teamId, userId)) !== 'owner' || (await hasOtherOwner(query, teamId, userId)))
    return
  throw Refusal.invalid({ [field]: [LAST_OWNER[field] ?? LAST_OWNER.member] })
}

const LAST_OWNER: Record<string, Said> & { member: Said } = {
  member: said(
    'is the last owner of the team, who can be neither removed nor demoted: make somebody else an owner first',
  ),
  role: said('must stay owner, as this is the last owner of the team: make somebody else an owner first'),
  team: said('cannot be left by its last owner: make somebody else an owner first'),
}

/** Locks the team. The caller may have lost their role while waiting for the lock. */
export async function lockTeamAsOwner(query: Query, { teamId, userId }: Actor): Promise<void> {
  await lockTeam(query, teamId)
  const role = await findRole(query, teamId, userId)
  if (role === null || !mayUse(role, 'manage')) throw new Refusal('forbidden')
}

function present(member: MemberRecord, actor: Actor): Member {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    uses_second_factor: member.usesSecondFactor,
    joined_at: formatInstant(member.joinedAt),
    is_you: member.id === actor.userId,
  }
}
