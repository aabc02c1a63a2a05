import { Refusal } from '../../core/errors.ts'
import type { SecretDoor } from '../../core/request-limits.ts'
import type { Services } from '../services.ts'
import { throttle } from './throttle.ts'

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
