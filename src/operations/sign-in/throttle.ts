import { AsyncLocalStorage } from 'node:async_hooks'
import { clientNetwork } from '../../core/client-address.ts'
import { Refusal } from '../../core/errors.ts'
import type { SecretDoor } from '../../core/request-limits.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'

/** The client that asks, and how often it may try. */

/** Where a request comes from: its address, and what the program calls itself; '' where it says nothing. */
export type Origin = { address: string; userAgent: string }

/** `network` tells clients apart (core/client-address.ts). */
export type CurrentClient = { network: string; origin: Origin }

const NOBODY: CurrentClient = { network: '', origin: { address: '', userAgent: '' } }

const current = new AsyncLocalStorage<() => CurrentClient>()

/** Answers a request of a client, which is read only where its work asks: most work does not, and pings are many. */
export function forClient<T>(read: () => CurrentClient, answer: () => T): T {
  return current.run(read, answer)
}

/** The network of the client whose request is being answered, whose share its work uses; '' for work of our own, such as a command. */
export function currentClient(): string {
  return clientNow().network
}

/** Where the request comes from that is being answered. */
export function currentOrigin(): Origin {
  return clientNow().origin
}

function clientNow(): CurrentClient {
  return current.getStore()?.() ?? NOBODY
}

/** A limit and the key it counts. */
export type Guard = [limit: RateLimit, key: string | number]

/**
 * Counters for sign-in attempts, whether the account exists or not: by address, by address and account together, and by
 * account from anywhere. No single address can use up the last one.
 */
export function signInGuards({ limits }: Services, email: string, address: string): Guard[] {
  return [
    [limits.perFailingAddress, address],
    [limits.perFailingPair, `${clientNetwork(address)} ${keyOf(email)}`],
    [limits.perFailingAccount, keyOf(email)],
  ]
}

/** A hash, so that all keys have the same length. */
function keyOf(email: string): string {
  return hashToken(email.toLowerCase()).toString('hex')
}

/** Counts a use; refuses with 429 once the limit is used up. */
export async function throttle(limit: RateLimit, key: string | number): Promise<void> {
  const { retryAfterSeconds } = await limit.take(key)
  if (retryAfterSeconds === null) return
  throw Refusal.tooMany(retryAfterSeconds)
}

/** Counts a use of a mailed link. Its path holds a secret, so that a hash is counted; refuses with 429. */
export function throttleLink({ limits }: Services, path: string): Promise<void> {
  return throttle(limits.perLink, hashToken(path).toString('base64'))
}

/**
 * Passes on what a secret was found to stand for. A wrong one is counted for the client's network, and refused with 404,
 * or with 429 once there were too many. A right one is looked up all the same, and costs nothing here: its record has a
 * limit of its own.
 */
export async function foundBySecret<Found>(
  services: Services,
  door: SecretDoor,
  address: string,
  found: Found | null,
): Promise<Found> {
  if (found !== null) return found
  await countWrongSecret(services, door, address)
  throw new Refusal('notFound')
}

/** Counts a wrong secret; refuses with 429. */
export function countWrongSecret({ limits }: Services, door: SecretDoor, address: string): Promise<void> {
  return throttle(limits.perWrongSecret[door], address)
}

/**
 * Runs work that may fail, and counts only failures. Uses are taken beforehand, so that simultaneous attempts cannot
 * all pass, and given back afterward; also when one of the limits is used up, since nothing was tried.
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

/** A missing code does not count as a failure: the password was right. */
function isWrong({ code, members }: Refusal): boolean {
  return code !== 'tooManyRequests' && members.second_factor !== 'required'
}
