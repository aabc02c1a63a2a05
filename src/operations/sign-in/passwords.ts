import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../core/errors.ts'
import { passwordFault } from '../../core/sign-in/password.ts'

const derive = promisify(argon2)

/** Argon2id with the second set of parameters recommended by OWASP's password storage cheat sheet: 19 MiB, 2 passes. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16

/**
 * Hashes a new password, refusing one that is too easy to guess for this account. All passwords of accounts pass
 * through here. `field` names the input.
 */
export async function hashNewPassword(
  password: string,
  account: { email: string; name: string },
  field = 'password',
): Promise<string> {
  const { COMMON_PASSWORDS } = await import('./common-passwords.ts')
  const fault = passwordFault(password, account, COMMON_PASSWORDS)
  if (fault !== null) throw Refusal.invalid({ [field]: [`${field} ${fault}`] })
  return hashPassword(password)
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
