import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { Password } from '../../core/sign-in/password.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import {
  findPasswordLink,
  insertPasswordLink,
  redeemPasswordLink,
} from '../../store/sign-in/password-links.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { tellHolder } from '../accounts/account-log.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { hashNewPassword, namesOf } from './passwords.ts'
import type { Visitor } from './sessions.ts'

/** Creates a link to set a password, and returns its secret. */
export async function issuePasswordLink(
  { now }: Services,
  query: Query,
  { userId, isMailed, lifetimeMs }: { userId: number; isMailed: boolean; lifetimeMs: number },
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = randomBytes(24).toString('base64url')
  const expiresAt = new Date(now().getTime() + lifetimeMs)
  await insertPasswordLink(query, { userId, tokenHash: hashToken(secret), isMailed, expiresAt })
  return { secret, expiresAt }
}

/**
 * The account of a link, and whether using it would prove the address for the first time; null when it was used or has
 * expired.
 */
export async function readPasswordLink(
  { db, now }: Services,
  link: string,
): Promise<{ email: string; isFirstProof: boolean } | null> {
  return (await findPasswordLink(db.query, hashToken(link), now())) ?? null
}

/** Sets the password and uses up the link; returns the refusal, or null on success. */
export async function setPasswordByLink(
  services: Services,
  link: string,
  password: unknown,
  visitor: Visitor,
): Promise<Refusal | null> {
  try {
    await redeem(services, link, password, visitor)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function redeem(services: Services, link: string, sent: unknown, visitor: Visitor): Promise<void> {
  const { db, now } = services
  const { password } = parseOrRefuse(parseFields(z.object({ password: Password }), { password: sent }))
  const account = await findPasswordLink(db.query, hashToken(link), now())
  const passwordHash =
    account && (await hashNewPassword(services, password, await namesOf(services, account)))
  const isDone = await db.query.transaction().execute(async (query) => {
    if (!passwordHash || !(await redeemPasswordLink(query, hashToken(link), passwordHash, now())))
      return false
    const kind = account.isFirstProof ? 'account_emptied' : 'password_set'
    await tellHolder(services, query, account.id, { kind, visitor })
    return true
  })
  if (!isDone)
    throw new Refusal('gone', { detail: said('This link was used meanwhile: ask for another one') })
}
