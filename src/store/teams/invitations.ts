import { sql } from 'kysely'
import type { Role } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'

export type InvitationRecord = {
  id: number
  email: string
  role: Role
  /** The name of the inviting user; null if that account is gone. */
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
}

/** An invitation, found by one of its two links. */
export type FoundInvitation = InvitationRecord & {
  teamId: number
  teamName: string
  /** The link was mailed to the address, so its holder reads mail there. */
  isFromLetter: boolean
}

/** Invitations that can still be accepted, newest first. */
export async function listInvitations(query: Query, teamId: number, now: Date): Promise<InvitationRecord[]> {
  return invitations(query, now).where('i.team_id', '=', teamId).orderBy('i.id', 'desc').execute()
}

export async function findInvitation(
  query: Query,
  teamId: number,
  id: number,
  now: Date,
): Promise<InvitationRecord | null> {
  const row = await invitations(query, now)
    .where('i.team_id', '=', teamId)
    .where('i.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function findInvitationByLink(
  query: Query,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundInvitation | null> {
  const row = await invitations(query, now)
    .innerJoin('teams as t', 't.id', 'i.team_id')
    .select(['i.team_id as teamId', 't.name as teamName'])
    .select(sql<boolean>`i.letter_hash = ${tokenHash}`.as('isFromLetter'))
    .where((eb) => eb.or([eb('i.link_hash', '=', tokenHash), eb('i.letter_hash', '=', tokenHash)]))
    .executeTakeFirst()
  return row ?? null
}

function invitations(query: Query, now: Date) {
  return query
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.id', 'i.email', 'i.role', 'u.name as invitedBy', 'i.created_at as createdAt'])
    .select('i.expires_at as expiresAt')
    .where('i.expires_at', '>', now)
}

export async function countInvitations(query: Query, teamId: number, now: Date): Promise<number> {
  const { count } = await query
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the invitation's id. */
export async function insertInvitation(
  query: Query,
  invitation: {
    teamId: number
    email: string
    role: Role
    linkHash: Buffer
    letterHash: Buffer
    invitedBy: number
    createdAt: Date
    expiresAt: Date
  },
): Promise<number> {
  const { id } = await query
    .insertInto('invitations')
    .values({
      team_id: invitation.teamId,
      email: invitation.email,
      role: invitation.role,
      link_hash: invitation.linkHash,
      letter_hash: invitation.letterHash,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes the team's invitations of that address, and expired ones. */
export async function clearInvitations(
  query: Query,
  teamId: number,
  email: string,
  now: Date,
): Promise<void> {
  await query
    .deleteFrom('invitations')
    .where('team_id', '=', teamId)
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb(sql`lower(email)`, '=', email.toLowerCase())]))
    .execute()
}

export async function deleteInvitationsBy(query: Query, teamId: number, userId: number): Promise<void> {
  await query
    .deleteFrom('invitations')
    .where('team_id', '=', teamId)
    .where('invited_by', '=', userId)
    .execute()
}
