import * as z from 'zod'

export const Role = z.enum(['owner', 'admin', 'viewer'])
export type Role = z.infer<typeof Role>

/** What an operation needs of the member who asks for it; `manage` is about people and the team itself. */
export type Access = 'read' | 'write' | 'manage'

const ACCESS_OF = {
  owner: ['read', 'write', 'manage'],
  admin: ['read', 'write'],
  viewer: ['read'],
} as const satisfies Record<Role, readonly Access[]>

export function mayUse(role: Role, access: Access): boolean {
  return (ACCESS_OF[role] as readonly Access[]).includes(access)
}

/**
 * A team probes from the operator's network. Where not everybody is let in, only an operator makes one: no role in a
 * team, and no lack of one, stands for that.
 */
export function mayMakeTeam(isOperator: boolean, opensSignUp: boolean): boolean {
  return opensSignUp || isOperator
}

/** Viewers watch; the keys to other systems are not theirs to read. */
export function seesSecrets(role: Role): boolean {
  return role !== 'viewer'
}

export const MASK = '********'

/** Scheme, host and port stay, so that a viewer can tell where alerts go. */
export function maskUrl(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}/${MASK}`
}
