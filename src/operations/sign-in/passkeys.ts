import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyCreate, PasskeyResponse, PersonProof } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
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
import { tellHolder } from '../accounts/account-log.ts'
import type { Services } from '../services.ts'
import { hashToken } from '../teams/tokens.ts'
import { provePerson } from './second-factor.ts'
import { refuseEndedSession, type Session, startSession, type Visitor } from './sessions.ts'
import { countFailures, throttle } from './throttle.ts'

const CHALLENGE_LIFETIME_MS = 5 * 60_000
/** Ways to an authenticator that browsers know (WebAuthn); whatever else one says is of no use to it later. */
const TRANSPORTS = new Set<string>(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** Loaded when first asked for: it takes a sixth of a second, and many a service has no passkeys. */
const library = () => import('@simplewebauthn/server')

/**
 * What a browser needs to make a passkey for who is signed in and proves to be that person. A passkey stands for
 * password and code: whoever has only one of them gets none.
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
  if (!isOurs || !judged?.verified) throw unusable('does not prove a passkey for this site')
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
  if (passkeyId === null) throw unusable('is of a passkey that is known already')
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

/** What a browser needs to sign in by whichever passkey its user picks. */
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
 * Signs in by a passkey; returns the session's `Set-Cookie`. A passkey that has verified its user is two factors:
 * no other is asked for.
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
  // Before the transaction: a challenge is used up by a wrong answer, too.
  const isOurs = await redeemChallenge(services.db.query, hashToken(expectedChallenge), null, services.now())
  if (!isOurs) throw notThatOne()
  return services.db.query.transaction().execute(async (query: Query) => {
    const passkey = await lockPasskey(query, response.id)
    if (!passkey) throw notThatOne()
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
    if (!judged?.verified) throw notThatOne()
    await notePasskeyUse(query, passkey.id, judged.authenticationInfo.newCounter, services.now())
    return startSession(services, query, passkey.userId, visitor)
  })
}

async function keepChallenge({ db, now }: Services, challenge: string, userId: number | null) {
  const at = now()
  const expiresAt = new Date(at.getTime() + CHALLENGE_LIFETIME_MS)
  await insertChallenge(db.query, { hash: hashToken(challenge), userId, expiresAt }, at)
}

/** The challenge that a browser says it answered; empty when it says none. */
function challengeOf({ response }: PasskeyResponse): string {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string }
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** Passkeys belong to the site's public name: by another name of the service they do not work. */
function relyingParty({ siteUrl }: Services): { id: string; origin: string } {
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, origin }
}

function unusable(why: string): Refusal {
  return Refusal.invalid({ response: [`response ${why}`] })
}

function notThatOne(): Refusal {
  return new Refusal('unauthorized', { detail: 'This passkey does not sign in here.' })
}
