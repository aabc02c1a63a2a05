import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../core/errors.ts'
import { passwordFault } from '../../core/sign-in/password.ts'
import { listMemberships } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import { estimateGuesses } from './password-guesses.ts'

const derive = promisify(argon2)

/** Argon2id with the second set of parameters recommended by OWASP's password storage cheat sheet: 19 MiB, 2 passes. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16

/**
 * Hashes a new password, refusing one that is too easy to guess. All passwords that are set pass through here, those of
 * accounts and those of status pages. `names` are those that an attacker would try; the site's are added. `field` names
 * the input.
 */
export async function hashNewPassword(
  { siteUrl }: Pick<Services, 'siteUrl'>,
  password: string,
  names: readonly string[],
  field = 'password',
): Promise<string> {
  const fault = await passwordFault(
    password,
    [...names, 'Upbeat', new URL(siteUrl).hostname],
    estimateGuesses,
  )
  if (fault !== null) throw Refusal.invalid({ [field]: [`${field} ${fault}`] })
  return hashPassword(password)
}

/** The names that an attacker of this account would try. */
export async function namesOf(
  { db }: Services,
  { id, email, name }: { id: number; email: string; name: string },
): Promise<string[]> {
  const teams = await listMemberships(db.query, id)
  return [email, name, ...teams.map((team) => team.name)]
}

/** The password hash as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', { message: password.normalize('NFKC'), nonce, ...PARAMETERS })
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(hash)}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!parts) return false
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(actual, expected)
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
