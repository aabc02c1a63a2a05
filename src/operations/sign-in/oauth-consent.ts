import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import { CODE_SECONDS, type GrantAccess, grantable, OauthRefusal } from '../../core/sign-in/oauth.ts'
import { isRegistered, type OauthClient, redirectFault } from '../../core/sign-in/oauth-client.ts'
import {
  type Authorization,
  answerUrl,
  readAuthorization,
  readParameter,
  requireParameter,
} from '../../core/sign-in/oauth-request.ts'
import type { Role } from '../../core/teams/access.ts'
import { findUser, listMemberships } from '../../store/accounts/users.ts'
import { insertOauthCode } from '../../store/sign-in/oauth-grants.ts'
import { countValidTokens, hashToken } from '../../store/teams/tokens.ts'
import { tellHolder } from '../accounts/account-log.ts'
import type { Services } from '../services.ts'
import { MAX_TOKENS_OF_MEMBER } from '../teams/api-tokens.ts'
import { findClient } from './oauth-clients.ts'
import { refuseEndedSession, type Session } from './sessions.ts'

const CODE_BYTES = 32

export type Consent = {
  client: OauthClient
  redirectUri: string
  asked: Authorization
  person: { name: string; email: string }
  teams: { id: number; name: string; role: Role }[]
  /** The session's current team. */
  teamId: number | null
}

/** The question for the person, or the reason why there is none, with the URL that reports it to the program. */
export type Asking =
  | { kind: 'ask'; consent: Consent }
  | { kind: 'answer'; client: OauthClient; redirectUri: string; why: Said; location: string }

/** Reads an authorization request. Throws errors that only the person may see, because the program is not verified. */
export async function beginAuthorization(
  services: Services,
  session: Session,
  params: URLSearchParams,
): Promise<Asking> {
  const clientId = requireParameter(params, 'client_id')
  const redirectUri = requireParameter(params, 'redirect_uri')
  const client = await findClient(services, clientId, session.userId)
  if (!client) throw new OauthRefusal('invalid_client', UNKNOWN_CLIENT)
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new OauthRefusal(
      'invalid_redirect_uri',
      said('The program wants its answer at an address that it never named.'),
    )
  }
  if (redirectFault(redirectUri) !== null) {
    throw new OauthRefusal(
      'invalid_redirect_uri',
      said(
        "The program wants its answer at an address that is neither https, nor http to this computer, nor a scheme of the program's own with a dot.",
      ),
    )
  }
  let asked: Authorization
  try {
    asked = readAuthorization(params, services.siteUrl)
    readParameter(params, 'state')
  } catch (error) {
    if (!(error instanceof OauthRefusal)) throw error
    const { code, message, said: why } = error
    const location = refusalUrl(services, params, redirectUri, code, message)
    return { kind: 'answer', client, redirectUri, why, location }
  }
  const { db } = services
  const [person, teams] = await Promise.all([
    findUser(db.query, session.userId),
    listMemberships(db.query, session.userId),
  ])
  if (!person) throw new Refusal('unauthorized')
  return { kind: 'ask', consent: { client, redirectUri, asked, person, teams, teamId: session.teamId } }
}

/** Reports to the program that the person declined. */
export function declineAuthorization(services: Services, params: URLSearchParams, consent: Consent): string {
  return refusalUrl(services, params, consent.redirectUri, 'access_denied', 'The person did not allow it.')
}

/** Gives the program a code for what the person allows; throws a refusal if the person can fix the problem. */
export async function allowAuthorization(
  services: Services,
  session: Session,
  params: URLSearchParams,
  { client, redirectUri, asked, teams }: Consent,
): Promise<string> {
  const team = teams.find(({ id }) => String(id) === params.get('team'))
  if (!team) throw Refusal.invalid({ team: [said('must be one of yours: choose it again')] })
  const chosen: GrantAccess = params.get('access') === 'write' ? asked.access : 'read'
  const { db, now, siteUrl } = services
  const code = randomBytes(CODE_BYTES).toString('base64url')
  await db.query.transaction().execute(async (query) => {
    await refuseEndedSession(services, query, session)
    if ((await countValidTokens(query, team.id, session.userId, now())) >= MAX_TOKENS_OF_MEMBER) {
      const full = said(
        'must be another one: you have {count} valid tokens in this one, the most; revoke one first',
        { count: MAX_TOKENS_OF_MEMBER },
      )
      throw Refusal.invalid({ team: [full] })
    }
    await insertOauthCode(query, hashToken(code), {
      clientId: client.id,
      userId: session.userId,
      teamId: team.id,
      resource: asked.resource,
      access: grantable(team.role, chosen),
      redirectUri,
      challenge: asked.challenge,
      expiresAt: new Date(now().getTime() + CODE_SECONDS * 1_000),
    })
    const told = { kind: 'program_connected' as const, detail: client.name, visitor: null }
    await tellHolder(services, query, session.userId, told)
  })
  return answerUrl(redirectUri, { code, state: stateOf(params), iss: siteUrl })
}

const UNKNOWN_CLIENT = said(
  'This service does not know the program any more. Remove the connection in the program, and connect it anew.',
)

function refusalUrl(
  { siteUrl }: Services,
  params: URLSearchParams,
  redirectUri: string,
  error: string,
  description: string,
): string {
  return answerUrl(redirectUri, {
    error,
    error_description: description,
    state: stateOf(params),
    iss: siteUrl,
  })
}

/** An invalid state is reported without repeating it. */
function stateOf(params: URLSearchParams): string | null {
  try {
    return readParameter(params, 'state')
  } catch {
    return null
  }
}
