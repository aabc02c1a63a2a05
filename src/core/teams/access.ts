import * as z from 'zod'

export const Role = z.enum(['owner', 'admin', 'viewer'])
export type Role = z.infer<typeof Role>

/** The access an operation requires; `manage` covers people and the team itself. */
export type Access = 'read' | 'write' | 'manage'

const ACCESS_OF = {
  owner: ['read', 'write', 'manage'],
  admin: ['read', 'write'],
  viewer: ['read'],
} as const satisfies Record<Role, readonly Access[]>

export function mayUse(role: Role, access: Access): boolean {
  return (ACCESS_OF[role] as readonly Access[]).includes(access)
}

/** The role a client acts with: that of its user, or viewer if the grant is read-only. */
export function roleWithin(role: Role, access: 'read' | 'write' | null): Role {
  return access === 'read' ? 'viewer' : role
}

/**
 * A team's checks run from the operator's network. Where sign-up is closed, only operators may create teams,
 * regardless of team roles.
 */
export function mayMakeTeam(isOperator: boolean, opensSignUp: boolean): boolean {
  return opensSignUp || isOperator
}

/** Viewers may watch, but not read credentials of other systems. */
export function seesSecrets(role: Role): boolean {
  return role !== 'viewer'
}

export const MASK = '********'

/** Keeps scheme, host and port, so that a viewer can tell where alerts go. */
export function maskUrl(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}/${MASK}`
}

const USER_INFO = /^([a-z][a-z0-9+.-]*:)?\/\/[^/?#@]*@/i
const SAID_BEHIND = /[?#].*$/s

/**
 * The part of an address that may be stored and shown where secrets may not: up to its query or fragment, and without a
 * user's name and password.
 */
export function plainPartOf(address: string): string {
  return address.replace(USER_INFO, '$1//').replace(SAID_BEHIND, '')
}

const MIN_CREDENTIAL_LENGTH = 6
const MAX_WORD_LENGTH = 15
const WORD = /^[A-Z]?[a-z]+([-_.][a-z]+)*$/

/** Whether a piece of an address is more than a plain word, and so may be a token. */
export function mayBeCredential(piece: string): boolean {
  return piece.length > MAX_WORD_LENGTH || (piece.length >= MIN_CREDENTIAL_LENGTH && !WORD.test(piece))
}

/** The parts of an address that must not be repeated: its query, and each piece of that which may be a token. */
export function secretsOfQuery(address: string): string[] {
  const behind = address.replace(USER_INFO, '$1//').slice(plainPartOf(address).length + 1)
  if (behind === '') return []
  const query = behind.replace(/#.*$/s, '')
  const pieces = [...behind.split(/[?&=#]/), ...new URLSearchParams(query).values()]
  return [...new Set([query, ...pieces])].filter(mayBeCredential)
}

/** The address for a message, with a mask in place of its query or fragment. */
export function maskedAddress(address: string): string {
  return address.replace(USER_INFO, '$1//').replace(SAID_BEHIND, (behind) => `${behind[0]}${MASK}`)
}
