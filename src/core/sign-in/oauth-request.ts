import { about, type Said, said, stopped } from '../language/said.ts'
import { describe } from '../validation.ts'
import { accessOf, type GrantAccess, OauthRefusal, RESOURCE_PATHS, type Resource } from './oauth.ts'
import { MAX_CLIENT_ID_LENGTH, MAX_REDIRECT_URI_LENGTH } from './oauth-client.ts'

const MAX_LENGTHS = {
  client_id: MAX_CLIENT_ID_LENGTH,
  redirect_uri: MAX_REDIRECT_URI_LENGTH,
  state: 1_000,
  scope: 500,
  resource: 500,
  code: 200,
  code_verifier: 128,
  refresh_token: 200,
  token: 200,
} as const

/** An authorization request whose client and redirect URI are already validated. */
export type Authorization = { challenge: string; resource: Resource; access: GrantAccess }

/** The single value of a parameter; null if it is absent or empty (RFC 6749 section 3.1). */
export function readParameter(params: URLSearchParams, name: string): string | null {
  const values = params.getAll(name)
  const maxLength = MAX_LENGTHS[name as keyof typeof MAX_LENGTHS] ?? 100
  if (values.length > 1)
    throw refuse(name, said('must be sent once, got {count} of it', { count: values.length }))
  const [value = ''] = values
  if (value.length > maxLength)
    throw refuse(
      name,
      said('must be at most {max} characters, got {length}', { max: maxLength, length: value.length }),
    )
  // PostgreSQL text cannot hold NUL. Lone surrogates cannot occur in a query or a form.
  if (value.includes('\0')) throw refuse(name, said('must not contain a NUL character'))
  return value === '' ? null : value
}

export function requireParameter(params: URLSearchParams, name: string): string {
  const value = readParameter(params, name)
  if (value === null) throw refuse(name, said('is required'))
  return value
}

/** Reads an authorization request (OAuth 2.1 section 4.1.1), except for the client and its redirect URI. */
export function readAuthorization(params: URLSearchParams, siteUrl: string): Authorization {
  const type = requireParameter(params, 'response_type')
  if (type !== 'code') {
    throw refuse(
      'response_type',
      said('must be code, got {got}', { got: describe(type) }),
      'unsupported_response_type',
    )
  }
  const mode = readParameter(params, 'response_mode')
  if (mode !== null && mode !== 'query')
    throw refuse('response_mode', said('must be query, got {got}', { got: describe(mode) }))
  const challenge = requireParameter(params, 'code_challenge')
  const method = readParameter(params, 'code_challenge_method') ?? 'plain'
  if (method !== 'S256')
    throw refuse('code_challenge_method', said('must be S256, got {got}', { got: describe(method) }))
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw refuse('code_challenge', said('must be the SHA-256 of the verifier in base64url: 43 characters'))
  }
  const scope = readParameter(params, 'scope')
  const access = accessOf(scope)
  if (access === null) {
    throw refuse(
      'scope',
      said('must name read or write, got {got}', { got: describe(scope) }),
      'invalid_scope',
    )
  }
  return { challenge, access, resource: readResource(params, siteUrl) ?? 'mcp' }
}

/** The requested resource (RFC 8707); null if none is named. */
export function readResource(params: URLSearchParams, siteUrl: string): Resource | null {
  const asked = readParameter(params, 'resource')
  if (asked === null) return null
  const url = URL.parse(asked)
  const site = new URL(siteUrl)
  for (const resource of ['mcp', 'api'] as const) {
    const isIt =
      url?.origin === site.origin &&
      url.pathname.replace(/\/$/, '') === site.pathname.replace(/\/$/, '') + RESOURCE_PATHS[resource]
    if (isIt && !/[?#@]/.test(asked)) return resource
  }
  const known = { site: siteUrl, same: siteUrl, got: describe(asked) }
  throw refuse('resource', said('must be {site}/mcp or {same}/api/v1, got {got}', known), 'invalid_target')
}

/** The redirect that carries an answer. Callers include the issuer (RFC 9207). */
export function answerUrl(redirectUri: string, members: Record<string, string | null>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== null) query.set(name, value)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}

function refuse(name: string, fault: Said, code: OauthRefusal['code'] = 'invalid_request'): OauthRefusal {
  return new OauthRefusal(code, stopped(about(name, fault)))
}
