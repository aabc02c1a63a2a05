import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Language } from '../../core/language/language.ts'
import { type Said, said } from '../../core/language/said.ts'
import { sessionExpiry } from '../../core/sign-in/session.ts'
import { mayMakeTeam } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'
import { readPhone } from '../../store/accounts/phones.ts'
import {
  findUser,
  learnLanguage,
  listMemberships,
  lockPasswordHash,
  type Membership,
} from '../../store/accounts/users.ts'
import { hasAuthenticator } from '../../store/sign-in/authenticators.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  hasSession,
  insertSession,
  listSessions as readSessions,
  setSessionTeam,
  touchSession,
} from '../../store/sign-in/sessions.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { refuseDisabled } from '../accounts/account-administration.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { makeCookie, readCookie } from './cookies.ts'

const COOKIE = 'upbeat_session'
const MAX_COOKIE_SECONDS = 90 * 24 * 3_600
const TOKEN_BYTES = 32
const TOUCH_AFTER_MS = 60_000
const MAX_USER_AGENT_LENGTH = 500

/** The signed-in user, their session, and the session's current team. */
export type Session = { userId: number; sessionId: number; teamId: number | null }

/** The origin of a sign-in, and the language that its browser wants. */
export type Visitor = { address: string; userAgent: string; language: Language }

/**
 * Signs a user in, unless the account is disabled; returns the session's `Set-Cookie`. The session starts in the first
 * of the user's teams.
 */
export async function startSession(
  services: Services,
  query: Query,
  userId: number,
  { address, userAgent, language }: Visitor,
): Promise<string> {
  await refuseDisabled(query, userId)
  await learnLanguage(query, userId, language)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = services.now()
  const expiresAt = sessionExpiry(createdAt, createdAt)
  const [team] = await listMemberships(query, userId)
  await insertSession(query, {
    userId,
    teamId: team?.id ?? null,
    tokenHash: hashToken(token),
    address,
    userAgent: readableUserAgent({ userAgent }),
    createdAt,
    expiresAt,
  })
  return makeCookie(services, COOKIE, token, MAX_COOKIE_SECONDS)
}

/** The User-Agent, made safe to store. */
export function readableUserAgent({ userAgent }: Pick<Visitor, 'userAgent'>): string {
  return userAgent.slice(0, MAX_USER_AGENT_LENGTH).replaceAll('\0', '').toWellFormed()
}

/** The `Set-Cookie` that deletes the session cookie. */
export function endedCookie(services: Services): string {
  return makeCookie(services, COOKIE, '', 0)
}

/** The valid session that the cookie names, or null. Records its use at most once a minute. */
export async function authenticateSession(
  services: Services,
  cookieHeader: string | null | undefined,
): Promise<Session | null> {
  const found = await findByCookie(services, cookieHeader)
  return found && 'userId' in found ? found : null
}

/** The same, or a refusal that says when the session ended, where that is known. */
export async function requireSession(
  services: Services,
  cookieHeader: string | null | undefined,
): Promise<Session> {
  const found = await findByCookie(services, cookieHeader)
  if (found && 'userId' in found) return found
  throw noSession(said('Sign in first.'), found?.endedAt)
}

function noSession(detail: Said, endedAt?: Date): Refusal {
  return new Refusal('unauthorized', { detail, session_ended_at: endedAt ? formatInstant(endedAt) : null })
}

async function findByCookie(
  services: Services,
  cookieHeader: string | null | undefined,
): Promise<Session | { endedAt: Date } | null> {
  const token = readCookie(services, cookieHeader, COOKIE)
  if (!token) return null
  const { db, now } = services
  const at = now()
  const row = await findSession(db.query, hashToken(token))
  if (!row) return null
  if (row.expires_at <= at) return { endedAt: row.expires_at }
  if (at.getTime() - row.last_used_at.getTime() > TOUCH_AFTER_MS) {
    await touchSession(db.query, row.id, at, sessionExpiry(row.created_at, at))
  }
  return { userId: row.user_id, sessionId: row.id, teamId: row.team_id }
}

/**
 * Keeps the account's ways in unchanged until the transaction ends. Waits for a concurrent change that ends them all (a
 * new password, a proof of the address); that change also ends this session, so no way in created here outlives it.
 */
export async function refuseEndedSession(
  { now }: Services,
  query: Query,
  { userId, sessionId }: { userId: number; sessionId?: number },
): Promise<void> {
  await lockPasswordHash(query, userId)
  if (sessionId === undefined || (await hasSession(query, sessionId, now()))) return
  throw noSession(said('This session has ended: sign in again.'))
}

/**
 * The actor of a session: in its current team, or in the first of the user's teams if they left that one, with their
 * present role. Null for a user without a team.
 */
export async function actorOf({ db }: Services, session: Session): Promise<Actor | null> {
  const teams = await listMemberships(db.query, session.userId)
  const team = teams.find(({ id }) => id === session.teamId) ?? teams[0]
  return team ? memberOf(session, team) : null
}

/** The actor of a session in the team that a path names, with the user's present role. */
export async function actorIn({ db }: Services, session: Session, teamId: string): Promise<Actor> {
  const teams = await listMemberships(db.query, session.userId)
  const team = teams.find(({ id }) => String(id) === teamId)
  if (!team)
    throw new Refusal('notFound', { detail: said('There is no such team, or you are no member of it.') })
  return memberOf(session, team)
}

function memberOf({ userId, sessionId }: Session, { id: teamId, role, plan }: Membership): Actor {
  return { userId, teamId, role, plan, door: 'dashboard', sessionId }
}

/** Switches a session to another of its user's teams. */
export async function chooseTeam({ db }: Services, session: Session, teamId: number): Promise<void> {
  const teams = await listMemberships(db.query, session.userId)
  if (!teams.some(({ id }) => id === teamId)) throw new Refusal('notFound')
  await setSessionTeam(db.query, session.sessionId, teamId)
}

/** The signed-in person, their teams, and what they may do. */
export async function describeSession(services: Services, session: Session) {
  const [user, phone, teams, actor, hasTotp] = await Promise.all([
    findUser(services.db.query, session.userId),
    readPhone(services.db.query, services.vault, session.userId),
    listMemberships(services.db.query, session.userId),
    actorOf(services, session),
    hasAuthenticator(services.db.query, session.userId),
  ])
  if (!user) throw noSession(said('Sign in first.'))
  return {
    session_id: session.sessionId,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      language: user.language,
      phone,
      is_email_verified: user.email_verified_at !== null,
      uses_totp: hasTotp,
      has_password: user.has_password,
      is_operator: user.is_operator,
    },
    team_id: actor?.teamId ?? null,
    may_make_team: mayMakeTeam(user.is_operator, services.opensSignUp),
    teams: teams.map(({ id, name, role }: Membership) => ({ id, name, role })),
  }
}

export async function listSessions({ db, now }: Services, session: Session) {
  const rows = await readSessions(db.query, session.userId, now())
  return rows.map((row) => ({
    id: row.id,
    is_current: row.id === session.sessionId,
    address: row.address,
    user_agent: row.user_agent,
    created_at: formatInstant(row.created_at),
    last_used_at: formatInstant(row.last_used_at),
    expires_at: formatInstant(row.expires_at),
  }))
}

export async function endSession({ db }: Services, session: Session, id: number): Promise<void> {
  if (!(await deleteSession(db.query, session.userId, id))) throw new Refusal('notFound')
}

export async function endOtherSessions({ db }: Services, session: Session): Promise<void> {
  await deleteSessionsOf(db.query, session.userId, session.sessionId)
}
