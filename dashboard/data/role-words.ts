import type { Role } from '../../src/core/teams/access.ts'

/** What each role may do, in one sentence. */
export const ROLE_SENTENCES = {
  owner: 'Does everything: also members, invitations, the name of the team and the signing secret.',
  admin: 'Makes and changes monitors and contacts, and makes API tokens.',
  viewer: 'Sees monitors, incidents and reports, without secrets; changes nothing.',
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
