import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Failures of this machine, by system error code. They never count against a target. */
const OWN_TROUBLE: Record<string, string> = {
  EMFILE: 'out of file descriptors',
  ENFILE: 'out of file descriptors',
  ENOBUFS: 'out of network buffers',
  ENOMEM: 'out of memory',
  EPERM: 'this machine does not let us connect there',
}

/** Like OWN_TROUBLE, except that each may affect only one address family (a machine without IPv6). */
const NO_NETWORK: Record<string, string> = {
  EADDRNOTAVAIL: 'no local address or port left',
  ENETUNREACH: 'no network here',
  ENETDOWN: 'no network here',
  EAFNOSUPPORT: 'no network here',
}

/** Describes what is wrong with this machine; null when the code concerns the target. */
export function ownTrouble(code: string): string | null {
  return OWN_TROUBLE[code] ?? null
}

/** Like ownTrouble, for codes that are our fault only if every address failed with one. */
export function familyTrouble(code: string): string | null {
  return NO_NETWORK[code] ?? null
}

/** Describes what keeps this process from opening anything at all; for libraries that do not report it. */
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
