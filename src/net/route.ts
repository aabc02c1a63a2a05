import type { DialFailure } from './dial-failure.ts'
import { ownRefusal } from './own-trouble.ts'

/**
 * Codes of connect(2) that mean one thing when this machine refuses any socket to the address, and this one when it does
 * not. ENETUNREACH and EACCES come from our route table or from a router on the way. EADDRNOTAVAIL means that we have no
 * address of the family, or that every local port is taken, for which bind(2) has a code of its own.
 */
const OTHERWISE: Record<string, string> = {
  ENETUNREACH: 'EHOSTUNREACH',
  EACCES: 'EHOSTUNREACH',
  EADDRNOTAVAIL: 'EADDRINUSE',
}

/** Replaces a code that has two meanings by one that has one, by asking this machine for another socket. */
export async function askRoute(failure: DialFailure): Promise<DialFailure> {
  const otherwise = OTHERWISE[failure.code]
  if (otherwise === undefined) return failure
  const own = await ownRefusal(failure.address)
  // Our own rule, like that of a firewall. In other places EACCES concerns files.
  return { ...failure, code: own === 'EACCES' ? 'EPERM' : (own ?? otherwise) }
}
