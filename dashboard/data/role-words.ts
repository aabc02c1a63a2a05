import type { Role } from '../../src/core/teams/access.ts'
import { t } from '../language/language.ts'

/** The permissions of each role, in one sentence. */
export const ROLE_SENTENCES = {
  owner: t('Full access, including members, invitations, the team name and the signing secret.'),
  admin: t('Can create and edit monitors and contacts, and create API tokens.'),
  viewer: t('Can view monitors, incidents and reports, but no secrets. Cannot make changes.'),
} as const satisfies Record<Role, string>

export const ROLES = [
  { value: 'viewer', label: t('Viewer') },
  { value: 'admin', label: t('Admin') },
  { value: 'owner', label: t('Owner') },
] as const satisfies { value: Role; label: string }[]

/** A role inside a sentence. */
export const ROLE_WORDS = {
  owner: t('owner'),
  admin: t('admin'),
  viewer: t('viewer'),
} as const satisfies Record<Role, string>

const WORDS = Object.fromEntries(ROLES.map(({ value, label }) => [value, label])) as Record<Role, string>

export function roleWord(role: Role): string {
  return WORDS[role]
}
