import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyCreate, PasskeyResponse, PersonProof } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { Query } from '../../postgres/database.ts'
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  lockPasskey,
  notePasskeyUse,
  listPasskeys as readPasskeys,
  redeemChallenge,
} from '../../store/sign-in/passkeys.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { tellHolder } from '../accounts/account-log.ts'
import type { Services } from '../services.ts'
import { provePerson } from './second-factor.ts'
import { refuseEndedSession, type Session, startSession, type Visitor } from './sessions.ts'
import { countFailures, throttle } from './throttle.ts'

const CHALLENGE_LIFETIME_MS = 5 * 60_000
/** Transports that browsers know (WebAuthn); others would be of no use later. */
const TRANSPORTS = new Set<string>(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** Loaded on first use: it takes a sixth of a second, and many services have no passkeys. */
const library = () => import('@simplewebauthn/server')

/**
 * Options for a browser to create a passkey. The signed-in person must prove who they are: a passkey replaces both
 * password and code, so having only one of them must not be enough.
 */
export async function beginPasskey(services: Services, session: Session, input: PersonProof) {
  const user = await provePerson(services, session, input)
  const { generateRegistrationOptions } = await library()
  const known = await readPasskeys(services.db.query, user.id)
  const options = await generateRegistrationOptions({
    rpName: 'Upbeat',
    rpID: relyingParty(services).id,
    userName: user.email,
    userID: new TextEncoder().encode(`upbeat-${user.id}`),
    attestationType: 'none',
    excludeCredentials: known.map((passkey) => ({
      id: passkey.credential_id,
      transports: passkey.transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(services, options.challenge, user.id)
  return options
}

export async function addPasskey(
  services: Services,
  session: Session,
  input: PasskeyCreate,
  visitor: Visitor,
) {
  const { db, now } = services
  const { verifyRegistrationResponse } = await library()
  const { id, origin } = relyingParty(services)
  const expectedChallenge = challengeOf(input.response)
  const isOurs = await redeemChallenge(db.query, hashToken(expectedChallenge), session.userId, now())
  const judged = await verifyRegistrationResponse({
    response: input.response as unknown as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
  }).catch(() => null)
  if (!isOurs || !judged?.verified) throw unusable(said('does not prove a passkey for this site'))
  const { credential } = judged.registrationInfo
  const passkeyId = await db.query.transaction().execute(async (query) => {
    await refuseEndedSession(services, query, session)
    const id = await insertPasskey(query, {
      userId: session.userId,
      name: input.name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((way) => TRANSPORTS.has(way)),
      createdAt: now(),
    })
    const told = { kind: 'passkey_added' as const, detail: input.name, visitor }
    if (id !== null) await tellHolder(services, query, session.userId, told)
    return id
  })
  if (passkeyId === null) throw unusable(said('is of a passkey that is known already'))
  return { id: passkeyId, name: input.name }
}

export async function listPasskeys({ db }: Services, session: Session) {
  const rows = await readPasskeys(db.query, session.userId)
  return rows.map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    created_at: formatInstant(created_at),
    last_used_at: formatInstantOrNull(last_used_at),
  }))
}

export async function removePasskey(
  services: Services,
  { userId }: Session,
  id: number,
  visitor: Visitor,
): Promise<void> {
  await services.db.query.transaction().execute(async (query) => {
    const name = await deletePasskey(query, userId, id)
    if (name === null) throw new Refusal('notFound')
    await tellHolder(services, query, userId, { kind: 'passkey_removed', detail: name, visitor })
  })
}

/** Options for a browser to sign in with any passkey the person picks. */
export async function beginPasskeySignIn(services: Services, visitor: Visitor) {
  await throttle(services.limits.perEnteringAddress, visitor.address)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(services).id,
    userVerification: 'required',
  })
  await keepChallenge(services, options.challenge, null)
  return options
}

/**
 * Signs in with a passkey; returns the session's `Set-Cookie`. A passkey that verified its user counts as two factors,
 * so no code is required.
 */
export async function signInByPasskey(
  services: Services,
  response: PasskeyResponse,
  visitor: Visitor,
): Promise<string> {
  return countFailures([[services.limits.perFailingAddress, visitor.address]], () =>
    enterByPasskey(services, response, visitor),
  )
}

async function enterByPasskey(
  services: Services,
  response: PasskeyResponse,
  visitor: Visitor,
): Promise<string> {
  const { verifyAuthenticationResponse } = await library()
  const { id, origin } = relyingParty(services)
  const expectedChallenge = challengeOf(response)
  // Before the transaction, so that a wrong response uses up the challenge, too.
  const isOurs = await redeemChallenge(services.db.query, hashToken(expectedChallenge), null, services.now())
  if (!isOurs) throw unknownPasskey()
  return services.db.query.transaction().execute(async (query: Query) => {
    const passkey = await lockPasskey(query, response.id)
    if (!passkey) throw unknownPasskey()
    const judged = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }).catch(() => null)
    if (!judged?.verified) throw unknownPasskey()
    await notePasskeyUse(query, passkey.id, judged.authenticationInfo.newCounter, services.now())
    return startSession(services, query, passkey.userId, visitor)
  })
}

async function keepChallenge({ db, now }: Services, challenge: string, userId: number | null) {
  const at = now()
  const expiresAt = new Date(at.getTime() + CHALLENGE_LIFETIME_MS)
  await insertChallenge(db.query, { hash: hashToken(challenge), userId, expiresAt }, at)
}

/** The challenge that a browser claims to answer; empty if it names none. */
function challengeOf({ response }: PasskeyResponse): string {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string }
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** Passkeys are bound to the site's public host name and do not work under another. */
function relyingParty({ siteUrl }: Services): { id: string; origin: string } {
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, origin }
}

function unusable(why: Said): Refusal {
  return Refusal.invalid({ response: [why] })
}

function unknownPasskey(): Refusal {
  return new Refusal('unauthorized', { detail: said('This passkey does not sign in here.') })
}
