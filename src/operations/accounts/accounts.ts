import type * as z from 'zod'
import {
  type AccountContract,
  type AccountOperation,
  type AccountOperationId,
  accountContract,
} from '../../contract/accounts.ts'
import { Refusal } from '../../core/errors.ts'
import { shownTexts } from '../../core/language/hidden-characters.ts'
import { said } from '../../core/language/said.ts'
import { MAX_RECORD_ID } from '../../core/record-id.ts'
import { parseFields } from '../../core/validation.ts'
import { isOperator } from '../../store/accounts/operators.ts'
import type { Answer } from '../implementation.ts'
import { parseOrRefuse, refusalAnswer } from '../refusal.ts'
import type { Services } from '../services.ts'
import * as passkeys from '../sign-in/passkeys.ts'
import { changePassword, requestPasswordReset } from '../sign-in/password-change.ts'
import * as factor from '../sign-in/second-factor.ts'
import type { Session, Visitor } from '../sign-in/sessions.ts'
import * as sessions from '../sign-in/sessions.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { describeSignInOptions } from '../sign-in/sign-in-options.ts'
import { requireOpenSignUp, signUp } from '../sign-in/sign-up.ts'
import { acceptInvitation, joinByInvitation, previewInvitation } from '../teams/invitation-links.ts'
import { createOwnTeam } from '../teams/new-team.ts'
import * as administration from './account-administration.ts'
import { listOwnEvents } from './account-log.ts'
import { requestEmailChange } from './email-change.ts'
import { requestVerification } from './email-verification.ts'
import { deleteOwnAccount } from './own-account.ts'
import { updatePerson } from './person.ts'
import * as serviceSettings from './service-settings.ts'

export type AccountRequest = {
  cookie: string | undefined
  visitor: Visitor
  /** The id in the path, if any. */
  id: string | undefined
  query: Record<string, string>
  readBody: () => Promise<unknown>
}

type AccountInput<Query, Body> = {
  session: Session
  visitor: Visitor
  cookie: string | undefined
  id: number
  query: Query
  body: Body
}
type QueryOf<Id extends AccountOperationId> = AccountContract[Id] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined
type BodyOf<Id extends AccountOperationId> = AccountContract[Id] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined
/** An answer that sets or clears the session cookie, and sets other cookies. */
class CookieAnswer {
  readonly cookies: string[]
  constructor(...cookies: string[]) {
    this.cookies = cookies
  }
}

/** The `data` of the answer. Operations without one may answer with a cookie. */
type OutcomeOf<Id extends AccountOperationId> = AccountContract[Id] extends {
  output: z.ZodType<{ data: infer Data }>
}
  ? Promise<Data>
  : Promise<CookieAnswer | null> | Promise<void>

type Implementation<Id extends AccountOperationId> = (
  services: Services,
  input: AccountInput<QueryOf<Id>, BodyOf<Id>>,
) => OutcomeOf<Id>

const implementations: { [Id in AccountOperationId]: Implementation<Id> } = {
  signIn: async (services, { body, visitor, cookie }) =>
    new CookieAnswer(...(await signIn(services, body, visitor, cookie))),
  signUp: async (services, { body, visitor }) => {
    const cookie = await signUp(services, body, visitor)
    return cookie === null ? null : new CookieAnswer(cookie)
  },
  showSignInOptions: describeSignInOptions,
  signOut: async (services, { session }) => {
    await sessions.endSession(services, session, session.sessionId)
    return new CookieAnswer(sessions.endedCookie(services))
  },
  showSession: (services, { session }) => sessions.describeSession(services, session),
  updatePerson: (services, { session, body }) => updatePerson(services, session, body),
  chooseTeam: (services, { session, body }) => sessions.chooseTeam(services, session, body.team_id),
  listAccountEvents: (services, { session }) => listOwnEvents(services, session),
  listSessions: (services, { session }) => sessions.listSessions(services, session),
  endOtherSessions: (services, { session }) => sessions.endOtherSessions(services, session),
  endSession: (services, { session, id }) => sessions.endSession(services, session, id),
  changePassword: (services, { session, body, visitor }) => changePassword(services, session, body, visitor),
  beginTotp: (services, { session, body }) => factor.beginTotp(services, session, body),
  confirmTotp: (services, { session, body, visitor }) => factor.confirmTotp(services, session, body, visitor),
  removeTotp: (services, { session, body, visitor }) => factor.removeTotp(services, session, body, visitor),
  renewRecoveryCodes: (services, { session, body, visitor }) =>
    factor.renewRecoveryCodes(services, session, body, visitor),
  beginPasskeySignIn: (services, { visitor }) => passkeys.beginPasskeySignIn(services, visitor),
  signInByPasskey: async (services, { body, visitor }) =>
    new CookieAnswer(await passkeys.signInByPasskey(services, body.response, visitor)),
  beginPasskey: (services, { session, body }) => passkeys.beginPasskey(services, session, body),
  addPasskey: (services, { session, body, visitor }) => passkeys.addPasskey(services, session, body, visitor),
  listPasskeys: (services, { session }) => passkeys.listPasskeys(services, session),
  removePasskey: (services, { session, id, visitor }) =>
    passkeys.removePasskey(services, session, id, visitor),
  createTeam: (services, { session, visitor, body }) => createOwnTeam(services, body, session, visitor),
  previewInvitation: (services, { session, visitor, body }) =>
    previewInvitation(services, body, session, visitor),
  acceptInvitation: (services, { session, visitor, body }) =>
    acceptInvitation(services, body, session, visitor),
  joinByInvitation: async (services, { body, visitor }) =>
    new CookieAnswer(await joinByInvitation(services, body, visitor)),
  requestPasswordReset: (services, { body, visitor }) => requestPasswordReset(services, body.email, visitor),
  requestEmailChange: (services, { session, body, visitor }) =>
    requestEmailChange(services, session, body, visitor),
  requestVerification: (services, { session }) => requestVerification(services, session),
  deleteOwnAccount: async (services, { session, body }) => {
    await deleteOwnAccount(services, session, body)
    return new CookieAnswer(sessions.endedCookie(services))
  },
  listAccounts: (services, { query }) => administration.listAccountPage(services, query),
  updateAccount: (services, { session, id, body }) =>
    administration.updateAccount(services, administration.authorOf(session, id), id, body),
  deleteAccount: (services, { session, id }) =>
    services.db.query
      .transaction()
      .execute((query) =>
        administration.deleteAccount(services, query, administration.authorOf(session, id), id),
      ),
  showServiceSettings: (services) => serviceSettings.showServiceSettings(services),
  updateServiceSettings: (services, { session, body }) =>
    serviceSettings.updateServiceSettings(services, session, body),
  testMail: (services, { session, body, visitor }) =>
    serviceSettings.testMail(services, session, body, visitor),
  showMailTest: (services, { session, id }) => serviceSettings.showMailTest(services, session, id),
}

/** Checks that run before the body is read. */
const gates: { [Id in AccountOperationId]?: (services: Services) => Promise<void> } = {
  signUp: requireOpenSignUp,
}

const NO_SESSION: Session = { userId: 0, sessionId: 0, teamId: null }

/** Performs an operation on an account, or refuses: 401, 404, 413/415, 422, 429. Never throws. */
export async function runForAccount(
  services: Services,
  id: AccountOperationId,
  request: AccountRequest,
): Promise<Answer> {
  const operation: AccountOperation = accountContract[id]
  const { isOpen, forOperators, body: schema, status, output } = operation
  const headers = { 'cache-control': 'no-store' }
  try {
    const session = isOpen
      ? ((await sessions.authenticateSession(services, request.cookie)) ?? NO_SESSION)
      : await sessions.requireSession(services, request.cookie)
    if (forOperators && !(await isOperator(services.db.query, session.userId))) {
      throw new Refusal('forbidden', { detail: said('This is for the operators of the service.') })
    }
    await gates[id]?.(services)
    const query = operation.query && parseOrRefuse(parseFields(operation.query, request.query))
    const body = schema && parseOrRefuse(parseFields(schema, await request.readBody()))
    const { visitor, cookie } = request
    const input = { session, visitor, cookie, id: readId(request.id), query, body }
    // One entry of the map is looked up by a union of ids; what fits the id fits its implementation.
    const perform = implementations[id] as (services: Services, input: unknown) => Promise<unknown>
    const outcome = await perform(services, input)
    if (outcome instanceof CookieAnswer) {
      return { status: 204, headers, cookies: outcome.cookies }
    }
    return { status, headers, ...(output && { body: { data: shownTexts(outcome) } }) }
  } catch (error) {
    return refusalAnswer(services, error, headers)
  }
}

function readId(id: string | undefined): number {
  if (id === undefined) return 0
  if (/^[1-9]\d{0,9}$/.test(id) && Number(id) <= MAX_RECORD_ID) return Number(id)
  throw new Refusal('notFound')
}
