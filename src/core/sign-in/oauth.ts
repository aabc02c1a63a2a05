import * as z from 'zod'
import { DAY_MS } from '../history/history-span.ts'
import { english, type Said } from '../language/said.ts'
import type { Role } from '../teams/access.ts'
import { Door } from '../teams/audit.ts'

/** The audience of a client's token: one of the two doors that accept tokens (RFC 8707). */
export const Resource = Door.extract(['api', 'mcp'])
export type Resource = z.infer<typeof Resource>

export const RESOURCE_PATHS = { api: '/api/v1', mcp: '/mcp' } as const satisfies Record<Resource, string>

/** The access that a grant allows; `write` includes reading. */
export const GrantAccess = z.enum(['read', 'write'])
export type GrantAccess = z.infer<typeof GrantAccess>

const SCOPES = { read: 'read', write: 'read write' } as const satisfies Record<GrantAccess, string>

export const ACCESS_TOKEN_SECONDS = 3_600
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600
export const CODE_SECONDS = 60

/** Rows older than these can be deleted. Until then a replayed code or refresh token is still recognized. */
export function grantCutoffs(now: Date) {
  const past = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return { codes: past(1), grants: past(30), neverUsedClients: past(7), usedClients: past(90) }
}

export function scopeOf(access: GrantAccess): string {
  return SCOPES[access]
}

/** The highest access in the scope; null if it names none we know. No scope means full access. */
export function accessOf(scope: string | null): GrantAccess | null {
  const asked = (scope ?? SCOPES.write).split(' ')
  if (asked.includes('write')) return 'write'
  return asked.includes('read') ? 'read' : null
}

/** The access a client gets in a team: never more than it requested or than its user's role allows. */
export function grantable(role: Role, asked: GrantAccess): GrantAccess {
  return role === 'viewer' ? 'read' : asked
}

const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  temporarily_unavailable: 429,
} as const satisfies Record<string, number>

/** A refusal in OAuth's terms (RFC 6749 section 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2). */
export class OauthRefusal extends Error {
  readonly code: keyof typeof STATUSES
  readonly status: number
  readonly said: Said

  constructor(code: keyof typeof STATUSES, description: Said) {
    super(inAscii(english(description)))
    this.said = sentInAscii(description)
    this.code = code
    this.status = STATUSES[code]
  }
}

/** Section 5.2 allows printable ASCII only, without quotes and backslashes. */
function inAscii(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}

/** The same for readers of other languages: what the program sent is shown alike. */
function sentInAscii({ text, values }: Said): Said {
  const sent = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'object' && value !== null) return [name, sentInAscii(value)]
    return [name, typeof value === 'string' ? inAscii(value) : value]
  })
  return { text, values: Object.fromEntries(sent) }
}
