import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { Password } from '../core/account.ts'
import { parseFields } from '../core/validation.ts'
import type { Query } from '../store/database.ts'
import { findPasswordLink, insertPasswordLink, redeemPasswordLink } from '../store/password-links.ts'
import { hashPassword } from './passwords.ts'
import type { Services } from './services.ts'
import { hashToken } from './tokens.ts'

/** Makes a link to set a password, and returns its secret. */
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

/** Whose link it is, and whether it is the first proof of the address; null when it was used or has expired. */
export async function readPasswordLink(
  { db, now }: Services,
  link: string,
): Promise<{ email: string; isFirstProof: boolean } | null> {
  return (await findPasswordLink(db.query, hashToken(link), now())) ?? null
}

/** Sets the password and uses the link up; returns what is wrong, or null when it is done. */
export async function setPasswordByLink(
  { db, now }: Services,
  link: string,
  password: unknown,
): Promise<string | null> {
  const parsed = parseFields(z.object({ password: Password }), { password })
  if (!parsed.ok) return Object.values(parsed.errors).flat().join('. ')
  const passwordHash = await hashPassword(parsed.value.password)
  const done = await db.query
    .transaction()
    .execute((query) => redeemPasswordLink(query, hashToken(link), passwordHash, now()))
  return done ? null : 'This link was used meanwhile: ask for another one'
}
