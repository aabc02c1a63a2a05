import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import type { PersonProof } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { Query } from '../../postgres/database.ts'
import {
  type Authenticator,
  confirmAuthenticator,
  deleteAuthenticator,
  hasAuthenticator,
  insertAuthenticator,
  lockAuthenticator,
  noteStep,
  redeemRecoveryCode,
  replaceRecoveryCodes,
} from '../../store/sign-in/authenticators.ts'
import { deleteSessionsOf } from '../../store/sign-in/sessions.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { tellHolder } from '../accounts/account-log.ts'
import type { Services } from '../services.ts'
import { provePassword } from './password-change.ts'
import type { Session, Visitor } from './sessions.ts'
import { countFailures } from './throttle.ts'

const ISSUER = 'Upbeat'
/** Also accepts a code of the previous or next step, because clocks differ. */
const TOLERANCE_SECONDS = 30
const RECOVERY_CODES = 10
const RECOVERY_CODE_BYTES = 10

/**
 * Checks the second factor after the right password; passes if the account has none. Throws 401 with `second_factor`:
 * `required` or `wrong`.
 */
export async function requireSecondFactor(
  services: Services,
  query: Query,
  userId: number,
  code: string | null,
): Promise<void> {
  const authenticator = await lockAuthenticator(query, services.vault, userId)
  if (!authenticator?.isConfirmed) return
  if (code === null) throw factorRefusal('required', said('Enter a code of your authenticator app as well.'))
  if (await takeCode(services, query, userId, authenticator, code)) return
  throw factorRefusal('wrong', said('The code is wrong, or was used already.'))
}

/** Begins to set up an authenticator app: returns its secret, and the URI for the QR code. */
export async function beginTotp(services: Services, session: Session, input: { password: string }) {
  const user = await provePassword(services, session, input.password)
  const secret = generateSecret()
  if (!(await insertAuthenticator(services.db.query, services.vault, user.id, secret))) {
    throw Refusal.invalid({ body: [said('is of no use: there is an authenticator app already')] })
  }
  return { secret, uri: generateURI({ issuer: ISSUER, label: user.email, secret }) }
}

/** Activates the app with one of its codes, ends all other sessions, and returns the recovery codes. */
export async function confirmTotp(
  services: Services,
  session: Session,
  input: { code: string },
  visitor: Visitor,
) {
  const { db, vault, now } = services
  return db.query.transaction().execute(async (query) => {
    const authenticator = await lockAuthenticator(query, vault, session.userId)
    const isFresh = authenticator !== null && !authenticator.isConfirmed
    if (!isFresh || !(await takeTotp(services, query, session.userId, authenticator, input.code))) {
      throw wrongCode()
    }
    await confirmAuthenticator(query, session.userId, now())
    await deleteSessionsOf(query, session.userId, session.sessionId)
    await tellHolder(services, query, session.userId, { kind: 'authenticator_added', visitor })
    return renewCodes(query, session.userId)
  })
}

/** Replaces the recovery codes. Requires the password and a code, from the app or a recovery code. */
export async function renewRecoveryCodes(
  services: Services,
  session: Session,
  input: Proof,
  visitor: Visitor,
) {
  return afterProof(services, session, input, async (query) => {
    await tellHolder(services, query, session.userId, { kind: 'recovery_codes_renewed', visitor })
    return renewCodes(query, session.userId)
  })
}

export async function removeTotp(
  services: Services,
  session: Session,
  input: Proof,
  visitor: Visitor,
): Promise<void> {
  await afterProof(services, session, input, async (query) => {
    await deleteAuthenticator(query, session.userId)
    await tellHolder(services, query, session.userId, { kind: 'authenticator_removed', visitor })
  })
}

/**
 * Has the signed-in person prove who they are: by password, and by code if the account has an app. A stolen cookie or a
 * spied password alone must not be enough to add another way in.
 */
export async function provePerson(services: Services, session: Session, { password, code }: PersonProof) {
  const user = await provePassword(services, session, password)
  if (!(await hasAuthenticator(services.db.query, user.id))) return user
  if (code === null)
    throw Refusal.invalid({ code: [said('is required: the account has an authenticator app')] })
  await withCode(services, user.id, code, async () => {})
  return user
}

type Proof = { password: string; code: string }

async function afterProof<T>(
  services: Services,
  session: Session,
  { password, code }: Proof,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  await provePassword(services, session, password)
  return withCode(services, session.userId, code, work)
}

/** Runs `work` if the code is right, in the transaction that uses the code up. */
async function withCode<T>(
  services: Services,
  userId: number,
  code: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  return countFailures([[services.limits.perProof, userId]], () =>
    services.db.query.transaction().execute(async (query) => {
      const authenticator = await lockAuthenticator(query, services.vault, userId)
      if (!authenticator?.isConfirmed) throw wrongCode()
      if (!(await takeCode(services, query, userId, authenticator, code))) throw wrongCode()
      return work(query)
    }),
  )
}

async function takeCode(
  services: Services,
  query: Query,
  userId: number,
  authenticator: Authenticator,
  code: string,
): Promise<boolean> {
  if (await takeTotp(services, query, userId, authenticator, code)) return true
  return redeemRecoveryCode(query, userId, hashToken(plain(code)))
}

async function takeTotp(
  { now }: Services,
  query: Query,
  userId: number,
  { secret, lastStep }: Authenticator,
  code: string,
): Promise<boolean> {
  const token = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(token)) return false
  const judged = await verify({
    secret,
    token,
    epoch: Math.floor(now().getTime() / 1_000),
    epochTolerance: TOLERANCE_SECONDS,
    ...(lastStep !== null && { afterTimeStep: lastStep }),
  })
  if (!judged.valid || !('timeStep' in judged)) return false
  await noteStep(query, userId, judged.timeStep)
  return true
}

async function renewCodes(query: Query, userId: number) {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (randomBytes(RECOVERY_CODE_BYTES).toString('hex').match(/.{5}/g) ?? []).join('-'),
  )
  await replaceRecoveryCodes(
    query,
    userId,
    codes.map((code) => hashToken(plain(code))),
  )
  return { recovery_codes: codes }
}

/** The code without the spaces, dashes and capitals that people type. */
function plain(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}

function wrongCode(): Refusal {
  return Refusal.invalid({ code: [said('is wrong, or was used already')] })
}

function factorRefusal(state: 'required' | 'wrong', detail: Said): Refusal {
  return new Refusal('unauthorized', { detail, second_factor: state })
}
