import { argon2Sync, randomBytes } from 'node:crypto'
import type { Role } from '../../../src/core/teams/access.ts'
import type { Services } from '../../../src/operations/services.ts'
import { endingOf, generateToken } from '../../../src/operations/teams/tokens.ts'
import { insertUser } from '../../../src/store/accounts/users.ts'
import { hashToken } from '../../../src/store/teams/tokens.ts'

/** The least that Argon2 takes. A hash says itself what it was made with, and is verified with that. */
const LEAST = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

/**
 * An account as `accounts.createUser` makes it, with a password that is cheap to verify: nearly every test signs
 * somebody in, and a hash worth its name takes 50 ms of a core each time.
 */
export async function createQuickAccount(
  { db }: Services,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<{ id: number }> {
  const id = await insertUser(db.query, { email, name, passwordHash: quickHash(password) })
  if (id === null) throw new Error(`${email} has an account already`)
  return { id }
}

/**
 * A member without a password, and a token of theirs, in one statement: tests make hundreds, as limits are per user.
 * No trace of them is in the audit log.
 */
export async function createQuickMember(
  { db }: Services,
  member: { teamId: number; role: Role; email: string; name: string },
): Promise<{ id: number; token: string }> {
  const token = generateToken()
  const { rows } = await db.pool.query<{ id: number }>({
    name: 'quick-member',
    text: `WITH someone AS (INSERT INTO users (email, name) VALUES ($1, $2) RETURNING id),
             membership AS (INSERT INTO members (team_id, user_id, role) SELECT $3, id, $4 FROM someone)
           INSERT INTO tokens (team_id, user_id, name, token_hash, ending)
           SELECT $3, id, $4, $5, $6 FROM someone RETURNING user_id AS id`,
    values: [member.email, member.name, member.teamId, member.role, hashToken(token), endingOf(token)],
  })
  return { id: rows[0]?.id ?? 0, token }
}

/** A PHC string, see src/operations/sign-in/passwords.ts. */
function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const hash = argon2Sync('argon2id', { message: password, nonce, ...LEAST })
  const { memory, passes, parallelism } = LEAST
  const parts = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${parts.join('$')}`
}
