import type * as z from 'zod'
import {
  CodeProof,
  FullProof,
  InvitationJoin,
  InvitationLink,
  OwnTeamCreate,
  PasskeyCreate,
  PasskeySignIn,
  PasswordChange,
  PasswordProof,
  PasswordReset,
  SignIn,
  SignUp,
  TeamChoice,
} from '../core/account.ts'
import { Refusal } from '../core/errors.ts'
import { parseFields } from '../core/validation.ts'
import { requestVerification } from './email-verification.ts'
import type { Answer } from './implementation.ts'
import { acceptInvitation, joinByInvitation, lookAtInvitation } from './invitation-links.ts'
import { createOwnTeam } from './new-team.ts'
import * as passkeys from './passkeys.ts'
import { changePassword, requestPasswordReset } from './password-change.ts'
import { parseOrRefuse, refusalAnswer } from './refusal.ts'
import * as factor from './second-factor.ts'
import type { Services } from './services.ts'
import type { Session, Visitor } from './sessions.ts'
import * as sessions from './sessions.ts'
import { signIn } from './sign-in.ts'
import { requireOpenSignUp, signUp } from './sign-up.ts'
import { describeWaysIn } from './ways-in.ts'

export type AccountRequest = {
  cookie: string | undefined
  visitor: Visitor
  /** The id in the path, where there is one. */
  id: string | undefined
  readBody: () => Promise<unknown>
}

type Asked<Body> = { session: Session; visitor: Visitor; id: number; body: Body }

type AccountOperation<Body> = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Whether one need not be signed in; `session` is of nobody for who is not. */
  isOpen?: true
  /** Refuses before the body is read. */
  admit?: (services: Services) => Promise<void>
  body?: z.ZodType<Body>
  perform: (services: Services, asked: Asked<Body>) => Promise<Partial<Answer>>
}

function operation<Body = undefined>(entry: AccountOperation<Body>): AccountOperation<unknown> {
  // Its body is parsed by its own schema, right before it is performed.
  return entry as AccountOperation<unknown>
}

const DONE = { status: 204 }

/** What people do with their own account, by a cookie: no part of the API for programs. */
export const accountOperations = {
  signIn: operation({
    method: 'POST',
    path: '/auth/sign-in',
    isOpen: true,
    body: SignIn,
    perform: async (services, { body, visitor }) => signedIn(await signIn(services, body, visitor)),
  }),
  signUp: operation({
    method: 'POST',
    path: '/auth/sign-up',
    isOpen: true,
    admit: requireOpenSignUp,
    body: SignUp,
    perform: async (services, { body, visitor }) => {
      const cookie = await signUp(services, body, visitor)
      return cookie === null ? { status: 202 } : signedIn(cookie)
    },
  }),
  showWaysIn: operation({
    method: 'GET',
    path: '/auth/options',
    isOpen: true,
    perform: async (services) => data(await describeWaysIn(services)),
  }),
  signOut: operation({
    method: 'POST',
    path: '/auth/sign-out',
    perform: async (services, { session }) => {
      await sessions.endSession(services, session, session.sessionId)
      return { ...DONE, headers: { 'set-cookie': sessions.endedCookie(services) } }
    },
  }),
  showSession: operation({
    method: 'GET',
    path: '/auth/session',
    perform: async (services, { session }) => data(await sessions.describeSession(services, session)),
  }),
  chooseTeam: operation({
    method: 'POST',
    path: '/auth/session/team',
    body: TeamChoice,
    perform: async (services, { session, body }) => {
      await sessions.chooseTeam(services, session, body.team_id)
      return DONE
    },
  }),
  listSessions: operation({
    method: 'GET',
    path: '/auth/sessions',
    perform: async (services, { session }) => data(await sessions.listSessions(services, session)),
  }),
  endOtherSessions: operation({
    method: 'DELETE',
    path: '/auth/sessions',
    perform: async (services, { session }) => {
      await sessions.endOtherSessions(services, session)
      return DONE
    },
  }),
  endSession: operation({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    perform: async (services, { session, id }) => {
      await sessions.endSession(services, session, id)
      return DONE
    },
  }),
  changePassword: operation({
    method: 'POST',
    path: '/auth/password',
    body: PasswordChange,
    perform: async (services, { session, body }) => {
      await changePassword(services, session, body)
      return DONE
    },
  }),
  beginTotp: operation({
    method: 'POST',
    path: '/auth/totp',
    body: PasswordProof,
    perform: async (services, { session, body }) => data(await factor.beginTotp(services, session, body)),
  }),
  confirmTotp: operation({
    method: 'POST',
    path: '/auth/totp/confirm',
    body: CodeProof,
    perform: async (services, { session, body }) => data(await factor.confirmTotp(services, session, body)),
  }),
  removeTotp: operation({
    method: 'POST',
    path: '/auth/totp/remove',
    body: FullProof,
    perform: async (services, { session, body }) => {
      await factor.removeTotp(services, session, body)
      return DONE
    },
  }),
  renewRecoveryCodes: operation({
    method: 'POST',
    path: '/auth/totp/recovery-codes',
    body: FullProof,
    perform: async (services, { session, body }) =>
      data(await factor.renewRecoveryCodes(services, session, body)),
  }),
  beginPasskeySignIn: operation({
    method: 'POST',
    path: '/auth/sign-in/passkey/options',
    isOpen: true,
    perform: async (services, { visitor }) => data(await passkeys.beginPasskeySignIn(services, visitor)),
  }),
  signInByPasskey: operation({
    method: 'POST',
    path: '/auth/sign-in/passkey',
    isOpen: true,
    body: PasskeySignIn,
    perform: async (services, { body, visitor }) =>
      signedIn(await passkeys.signInByPasskey(services, body.response, visitor)),
  }),
  beginPasskey: operation({
    method: 'POST',
    path: '/auth/passkeys/options',
    body: PasswordProof,
    perform: async (services, { session, body }) =>
      data(await passkeys.beginPasskey(services, session, body)),
  }),
  addPasskey: operation({
    method: 'POST',
    path: '/auth/passkeys',
    body: PasskeyCreate,
    perform: async (services, { session, body }) => ({
      ...data(await passkeys.addPasskey(services, session, body)),
      status: 201,
    }),
  }),
  listPasskeys: operation({
    method: 'GET',
    path: '/auth/passkeys',
    perform: async (services, { session }) => data(await passkeys.listPasskeys(services, session)),
  }),
  removePasskey: operation({
    method: 'DELETE',
    path: '/auth/passkeys/{id}',
    perform: async (services, { session, id }) => {
      await passkeys.removePasskey(services, session, id)
      return DONE
    },
  }),
  createTeam: operation({
    method: 'POST',
    path: '/auth/teams',
    body: OwnTeamCreate,
    perform: async (services, { session, visitor, body }) => ({
      ...data(await createOwnTeam(services, body, session, visitor)),
      status: 201,
    }),
  }),
  lookAtInvitation: operation({
    method: 'POST',
    path: '/auth/invitations/look',
    isOpen: true,
    body: InvitationLink,
    perform: async (services, { session, visitor, body }) =>
      data(await lookAtInvitation(services, body, session, visitor)),
  }),
  acceptInvitation: operation({
    method: 'POST',
    path: '/auth/invitations/accept',
    body: InvitationLink,
    perform: async (services, { session, visitor, body }) =>
      data(await acceptInvitation(services, body, session, visitor)),
  }),
  joinByInvitation: operation({
    method: 'POST',
    path: '/auth/invitations/join',
    isOpen: true,
    body: InvitationJoin,
    perform: async (services, { body, visitor }) => signedIn(await joinByInvitation(services, body, visitor)),
  }),
  requestPasswordReset: operation({
    method: 'POST',
    path: '/auth/password-reset',
    isOpen: true,
    body: PasswordReset,
    perform: async (services, { body, visitor }) => {
      await requestPasswordReset(services, body.email, visitor)
      return { status: 202 }
    },
  }),
  requestVerification: operation({
    method: 'POST',
    path: '/auth/email-verification',
    perform: async (services, { session }) => {
      await requestVerification(services, session)
      return { status: 202 }
    },
  }),
}

export type AccountOperationId = keyof typeof accountOperations

const NOBODY: Session = { userId: 0, sessionId: 0, teamId: null }

/** Does what was asked, or refuses: 401, 404, 413/415, 422, 429. Never throws. */
export async function runForAccount(
  services: Services,
  id: AccountOperationId,
  request: AccountRequest,
): Promise<Answer> {
  const { isOpen, admit, body: schema, perform } = accountOperations[id]
  const headers = { 'cache-control': 'no-store' }
  try {
    const found = await sessions.authenticateSession(services, request.cookie)
    const session = found ?? (isOpen ? NOBODY : null)
    if (!session) throw new Refusal('unauthorized', { detail: 'Sign in first.' })
    await admit?.(services)
    const body = schema && parseOrRefuse(parseFields(schema, await request.readBody()))
    const asked = { session, visitor: request.visitor, id: readId(request.id), body }
    const answer = await perform(services, asked)
    return { status: answer.status ?? 200, body: answer.body, headers: { ...headers, ...answer.headers } }
  } catch (error) {
    return refusalAnswer(services, error, headers)
  }
}

function readId(id: string | undefined): number {
  if (id === undefined) return 0
  if (/^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647) return Number(id)
  throw new Refusal('notFound')
}

function signedIn(cookie: string): Partial<Answer> {
  return { ...DONE, headers: { 'set-cookie': cookie } }
}

function data(content: unknown): Partial<Answer> {
  return { body: { data: content } }
}
