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
