import * as z from 'zod'

export const Role = z.enum(['owner', 'admin', 'viewer'])
export type Role = z.infer<typeof Role>

/** What an operation needs of the member who asks for it. */
export type Access = 'read' | 'write'

export function mayUse(role: Role, access: Access): boolean {
  return access === 'read' || role !== 'viewer'
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
