import type { Role } from '../../src/core/teams/access.ts'

/** The permissions of each role, in one sentence. */
export const ROLE_SENTENCES = {
  owner: 'Full access, including members, invitations, the team name and the signing secret.',
  admin: 'Can create and edit monitors and contacts, and create API tokens.',
  viewer: 'Can view monitors, incidents and reports, but no secrets. Cannot make changes.',
} as const satisfies Record<Role, string>

export const ROLES = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'admin', label: 'Admin' },
  { value: 'owner', label: 'Owner' },
] as const satisfies { value: Role; label: string }[]

/** `an owner`, `a viewer`. */
export function sayRole(role: Role): string {
  return role === 'viewer' ? 'a viewer' : `an ${role}`
}
