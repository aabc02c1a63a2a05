import { mailboxName } from '../../core/alerting/mailbox.ts'
import { clientNetwork } from '../../core/client-network.ts'
import { Refusal } from '../../core/errors.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import type { Services } from '../services.ts'
import { hashToken } from '../teams/tokens.ts'

/** A limit, and what it is counted for. */
export type Guard = [limit: RateLimit, key: string | number]

/**
 * What tries to sign in to an account from an address are counted for, whether there is such an account or not: the
 * address, the two together, and the account from wherever it is tried. Nobody at one address can use up the last.
 */
export function signInGuards({ limits }: Services, email: string, address: string): Guard[] {
  return [
    [limits.perFailingAddress, address],
    [limits.perFailingPair, `${clientNetwork(address)} ${keyOf(email)}`],
    [limits.perFailingAccount, keyOf(email)],
  ]
}

/** Counts a letter to an address that may be nobody's account. */
export async function throttleMailbox(services: Services, email: string): Promise<void> {
  await throttle(services.limits.perMailbox, keyOf(mailboxName(email)))
}

/** Hashed, to have one length. */
function keyOf(email: string): string {
  return hashToken(email.toLowerCase()).toString('hex')
}

/** Counts a use; refuses with 429 once the limit is used up. */
export async function throttle(limit: RateLimit, key: string | number): Promise<void> {
  const { retryAfterSeconds } = await limit.take(key)
  if (retryAfterSeconds === null) return
  throw new Refusal('tooManyRequests', {}, { 'retry-after': String(retryAfterSeconds) })
}

/**
 * Does work that may find something wrong, and counts only that. The uses are taken before it, so that tries which
 * come at once do not all get through, and given back after it; also when one of the limits is used up, since
 * nothing was tried then.
 */
export async function countFailures<T>(
  guards: Guard[],
  work: () => Promise<T>,
  isFailure: (refusal: Refusal) => boolean = isWrong,
): Promise<T> {
  const taken: Guard[] = []
  const giveBack = () => Promise.all(taken.map(([limit, key]) => limit.giveBack(key)))
  try {
    for (const guard of guards) {
      await throttle(...guard)
      taken.push(guard)
    }
    const outcome = await work()
    await giveBack()
    return outcome
  } catch (error) {
    if (!(error instanceof Refusal) || !isFailure(error)) await giveBack()
    throw error
  }
}

/** Whoever is only asked for the code as well had the right password. */
function isWrong({ code, members }: Refusal): boolean {
  return code !== 'tooManyRequests' && members.second_factor !== 'required'
}
