import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { createTurnstile, type Turnstile } from '../../core/sharing/share.ts'
import { type EstimateGuesses, passwordFault } from '../../core/sign-in/password.ts'
import { listMemberships } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import { estimateGuesses } from './password-guesses.ts'
import { currentClient } from './throttle.ts'

const argon2Of = promisify(argon2)
const MOST_WAITING = 100
const RETRY_SECONDS = 5

const hashing = createTurnstile('passwords', { maxWaiting: MOST_WAITING })
const estimating = createTurnstile('guesses', { maxWaiting: MOST_WAITING })

/** Argon2id with the second set of parameters recommended by OWASP's password storage cheat sheet: 19 MiB, 2 passes. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16

/** Does what takes a while. One client with many passwords keeps others waiting for a turn at most. */
async function inTurn<T>(turnstile: Turnstile, work: () => Promise<T>): Promise<T> {
  const client = currentClient()
  if (!(await turnstile.enter(client))) {
    const sentence = said(
      'Too many passwords of your network are being checked at once: try again in {seconds} s.',
      {
        seconds: RETRY_SECONDS,
      },
    )
    throw Refusal.forNow('unavailable', RETRY_SECONDS, sentence)
  }
  try {
    return await work()
  } finally {
    turnstile.leave(client)
  }
}

/** Takes some 30 ms of a thread, of which there are few. */
function derive(parameters: Parameters<typeof argon2Of>[1]): Promise<Buffer> {
  return inTurn(hashing, () => argon2Of('argon2id', parameters))
}

/** Takes up to a quarter of a second of the one thread that has the dictionaries. */
const estimateInTurn: EstimateGuesses = (password, names) =>
  inTurn(estimating, () => estimateGuesses(password, names))

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
  const fault = await passwordFault(password, [...names, 'Upbeat', new URL(siteUrl).hostname], estimateInTurn)
  if (fault !== null) throw Refusal.invalid({ [field]: [fault] })
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
  const hash = await derive({ message: password.normalize('NFKC'), nonce, ...PARAMETERS })
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(hash)}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!parts) return false
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive({
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
