import { MASK } from './teams/access.ts'

const USER_INFO = /^([a-z][a-z0-9+.-]*:)?\/\/[^/?#@]*@/i
const SAID_BEHIND = /[?#].*$/s

/**
 * The part of an address that may be stored and shown where secrets may not: up to its query or fragment, and without a
 * user's name and password.
 */
export function plainPartOf(address: string): string {
  return address.replace(USER_INFO, '$1//').replace(SAID_BEHIND, '')
}

/** The address for a message, with a mask in place of its query or fragment. */
export function maskedAddress(address: string): string {
  return address.replace(USER_INFO, '$1//').replace(SAID_BEHIND, (behind) => `${behind[0]}${MASK}`)
}
