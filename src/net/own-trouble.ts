import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Failures of this machine, by system error code. A target is never blamed for them. */
const OWN_TROUBLE: Record<string, string> = {
  EMFILE: 'out of file descriptors',
  ENFILE: 'out of file descriptors',
  ENOBUFS: 'out of network buffers',
  ENOMEM: 'out of memory',
  EPERM: 'this machine does not let us connect there',
}

/** The same, but each may hold for one address family only (a machine without IPv6). */
const NO_NETWORK: Record<string, string> = {
  EADDRNOTAVAIL: 'no local address or port left',
  ENETUNREACH: 'no network here',
  ENETDOWN: 'no network here',
  EAFNOSUPPORT: 'no network here',
}

/** What is wrong with this machine, or null when the code speaks of the target. */
export function ownTrouble(code: string): string | null {
  return OWN_TROUBLE[code] ?? null
}

/** Like ownTrouble, for codes that are ours only when every address met them. */
export function familyTrouble(code: string): string | null {
  return NO_NETWORK[code] ?? null
}

/** What keeps this process from opening anything at all; for libraries that do not tell. */
export function shortage(): string | null {
  try {
    closeSync(openSync(devNull, 'r'))
    return null
  } catch (error) {
    return ownTrouble(codeOf(error))
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'
}
