import * as z from 'zod'
import { about, issueOf, type Said, said, stopped } from '../language/said.ts'
import { label, text } from '../text.ts'
import { describe, parseFields } from '../validation.ts'
import { OauthRefusal } from './oauth.ts'

const MAX_REDIRECT_URIS = 10
export const MAX_REDIRECT_URI_LENGTH = 500
const MAX_CLIENT_NAME_LENGTH = 100
export const MAX_CLIENT_ID_LENGTH = 500

const WEB = /^https:\/\/[^/\\]/i
/** URLs allow further characters in host names, but some of those have a meaning in a Content-Security-Policy. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?=[:/?]|$)/i

/**
 * Schemes with a dot are named after a domain of the program's author (RFC 8252 section 7.1). All others belong to
 * browsers or the system, now or later: `intent:`, `chrome:`, `ms-appinstaller:` start something else than the program.
 */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/./i

/** Addresses of widely used programs whose scheme has no dot, each as a whole: Cursor registers it with every service. */
const KNOWN_PROGRAMS = ['cursor://anysphere.cursor-mcp/oauth/callback']

/**
 * Where the browser delivers the answer: https, a loopback address, or a private scheme of the program (RFC 8252).
 */
const RedirectUri = text(MAX_REDIRECT_URI_LENGTH).superRefine((value, context) => {
  const fault = redirectFault(value)
  if (fault) context.addIssue(issueOf(fault))
})

/** Why no answer is sent to an address; null if it may be. It is asked at each use: clients registered by other rules. */
export function redirectFault(value: string): Said | null {
  const url = URL.parse(value)
  if (!url || !/^[a-z][a-z0-9+.-]*:\/./i.test(value) || !/^[\x21-\x7e]+$/.test(value)) {
    return said('must be a full URL, got {got}', { got: describe(value) })
  }
  if (value.includes('#')) return said('must not have a fragment')
  if (url.username || url.password) return said('must not contain credentials')
  if (url.protocol === 'https:' && !HOST_NAME.test(url.hostname)) {
    return said('must name a host of letters, digits, dots and hyphens, got {got}', { got: describe(value) })
  }
  if ([WEB, LOOPBACK, OWN_SCHEME].some((form) => form.test(value)) || KNOWN_PROGRAMS.includes(value)) {
    return null
  }
  return said(
    "must be https, http to this computer, or a scheme of the program's own with a dot such as com.example.app:, got {got}",
    { got: describe(value) },
  )
}

/** Client metadata of a registration (RFC 7591 section 2). Other members are ignored. */
const ClientMetadata = z.object({
  redirect_uris: z.array(RedirectUri).min(1).max(MAX_REDIRECT_URIS),
  client_name: label(MAX_CLIENT_NAME_LENGTH).nullish(),
  grant_types: z.array(text(100)).max(20).nullish(),
  response_types: z.array(text(100)).max(20).nullish(),
})

export type OauthClient = { id: string; name: string; redirectUris: string[] }

/** Reads client metadata. A client without a name is named after its redirect destination. */
export function readClientMetadata(sent: unknown): Omit<OauthClient, 'id'> {
  const parsed = parseFields(ClientMetadata, sent)
  if (!parsed.ok) {
    const [[field, [why]]] = Object.entries(parsed.faults) as [[string, [Said]]]
    const code = field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw new OauthRefusal(code, stopped(about(field, why)))
  }
  const { redirect_uris, client_name, grant_types, response_types } = parsed.value
  if (grant_types && !grant_types.includes('authorization_code')) {
    throw new OauthRefusal(
      'invalid_client_metadata',
      stopped(about('grant_types', said('must include {value}', { value: 'authorization_code' }))),
    )
  }
  if (response_types && !response_types.includes('code')) {
    throw new OauthRefusal(
      'invalid_client_metadata',
      stopped(about('response_types', said('must include {value}', { value: 'code' }))),
    )
  }
  return { name: client_name ?? describeDestination(redirect_uris[0] as string), redirectUris: redirect_uris }
}

/** The registration as accepted: every client is public, even if it requested a secret. */
export function presentClient({ id, name, redirectUris }: OauthClient, createdAt: Date) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

/** Whether a client id is the URL of a Client ID Metadata Document (section 3). */
export function isDescriptionUrl(clientId: string): boolean {
  const url = clientId.length <= MAX_CLIENT_ID_LENGTH && URL.parse(clientId)
  return (
    url !== false &&
    url !== null &&
    // In normalized form: no dot segments, no default port, no capitals in the host.
    url.href === clientId &&
    url.protocol === 'https:' &&
    HOST_NAME.test(url.hostname) &&
    url.pathname !== '/' &&
    !clientId.includes('#') &&
    !url.username &&
    !url.password
  )
}

/** Reads the client that a metadata document describes. The document must name its own URL as `client_id`. */
export function readClientDocument(clientId: string, document: unknown): OauthClient {
  const named = (document as { client_id?: unknown } | null)?.client_id
  if (named !== clientId) {
    throw new OauthRefusal('invalid_client', said('The description of the program names another client_id.'))
  }
  return { id: clientId, ...readClientMetadata(document) }
}

/** Compares exactly, except that the port of a loopback address is free (RFC 8252 section 7.3). */
export function isRegistered(redirectUris: string[], asked: string): boolean {
  if (!URL.canParse(asked)) return false
  return redirectUris.some(
    (registered) => registered === asked || withoutPort(registered) === withoutPort(asked),
  )
}

function withoutPort(uri: string): string {
  const host = LOOPBACK.exec(uri)?.[0]
  return host ? host + uri.slice(host.length).replace(/^:\d{1,5}(?=[/?]|$)/, '') : uri
}

/**
 * Whether a browser may be redirected there without the user's action. Anyone can register a client, so
 * redirecting to other hosts would make this service an open redirector (RFC 9700 section 4.11.2).
 */
export function isOnThisComputer(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri)
}

/** The destination of an answer, in words a person understands. */
export function describeDestination(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (isOnThisComputer(redirectUri)) return `a program on this computer (${hostname})`
  return protocol === 'https:' ? host : `the program on this computer that opens ${protocol} links`
}

/**
 * The Content-Security-Policy source for an address. Falls back to the whole scheme where the policy syntax
 * cannot express the host.
 */
export function policySource(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol
}
