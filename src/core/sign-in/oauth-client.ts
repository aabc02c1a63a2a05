import * as z from 'zod'
import { label, text } from '../text.ts'
import { describe, parseFields } from '../validation.ts'
import { OauthRefusal } from './oauth.ts'

const MAX_REDIRECT_URIS = 10
export const MAX_REDIRECT_URI_LENGTH = 500
const MAX_CLIENT_NAME_LENGTH = 100
export const MAX_CLIENT_ID_LENGTH = 500

const WEB = /^https:\/\/[^/\\]/i
/** Of the other characters that a URL takes in the name of a host, some mean something in a page's policy. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?=[:/?]|$)/i

/** Schemes that are no program's own: browsers, or others, do something else with them. */
const NO_PROGRAMS = [
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'https',
  'javascript',
  'mailto',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]

/** Where a browser goes with the answer: https, this computer, or a scheme of the program's own (RFC 8252). */
const RedirectUri = text(MAX_REDIRECT_URI_LENGTH).superRefine((value, context) => {
  const fault = redirectFault(value)
  if (fault) context.addIssue(fault)
})

function redirectFault(value: string): string | null {
  const url = URL.parse(value)
  const scheme = /^([a-z][a-z0-9+.-]*):\/./i.exec(value)?.[1]?.toLowerCase()
  if (!url || !scheme || !/^[\x21-\x7e]+$/.test(value)) return `must be a full URL, got ${describe(value)}`
  if (value.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not contain credentials'
  if (url.protocol === 'https:' && !HOST_NAME.test(url.hostname)) {
    return `must name a host of letters, digits, dots and hyphens, got ${describe(value)}`
  }
  if (WEB.test(value) || LOOPBACK.test(value) || !NO_PROGRAMS.includes(scheme)) return null
  return `must be https, http to this computer, or a scheme of the program's own, got ${describe(value)}`
}

/** How a program introduces itself (RFC 7591 section 2); what is not here is of no use to us, and ignored. */
const ClientMetadata = z.object({
  redirect_uris: z.array(RedirectUri).min(1).max(MAX_REDIRECT_URIS),
  client_name: label(MAX_CLIENT_NAME_LENGTH).nullish(),
  grant_types: z.array(text(100)).max(20).nullish(),
  response_types: z.array(text(100)).max(20).nullish(),
})

export type OauthClient = { id: string; name: string; redirectUris: string[] }

/** Reads what a program says of itself; without a name it is called by where its answers go. */
export function readClientMetadata(sent: unknown): Omit<OauthClient, 'id'> {
  const parsed = parseFields(ClientMetadata, sent)
  if (!parsed.ok) {
    const [[field, [why]]] = Object.entries(parsed.errors) as [[string, [string]]]
    const code = field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw new OauthRefusal(code, `${why}.`)
  }
  const { redirect_uris, client_name, grant_types, response_types } = parsed.value
  if (grant_types && !grant_types.includes('authorization_code')) {
    throw new OauthRefusal('invalid_client_metadata', 'grant_types must include authorization_code.')
  }
  if (response_types && !response_types.includes('code')) {
    throw new OauthRefusal('invalid_client_metadata', 'response_types must include code.')
  }
  return { name: client_name ?? sayDestination(redirect_uris[0] as string), redirectUris: redirect_uris }
}

/** The registration as it was taken: every program is a public client, whatever it asked for. */
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

/** Whether a client's id is the address of its description (OAuth Client ID Metadata Document, section 3). */
export function isDescriptionUrl(clientId: string): boolean {
  const url = clientId.length <= MAX_CLIENT_ID_LENGTH && URL.parse(clientId)
  return (
    url !== false &&
    url !== null &&
    // Written as it is understood: no dots in the path, no port that goes without saying, no capitals in the host.
    url.href === clientId &&
    url.protocol === 'https:' &&
    HOST_NAME.test(url.hostname) &&
    url.pathname !== '/' &&
    !clientId.includes('#') &&
    !url.username &&
    !url.password
  )
}

/** The client that a document describes, which must say itself where it was found. */
export function readClientDocument(clientId: string, document: unknown): OauthClient {
  const said = (document as { client_id?: unknown } | null)?.client_id
  if (said !== clientId) {
    throw new OauthRefusal('invalid_client', 'The description of the program names another client_id.')
  }
  return { id: clientId, ...readClientMetadata(document) }
}

/** Exactly as it was registered; only the port of an address on this computer is free (RFC 8252 section 7.3). */
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
 * Whether a browser may be sent there without its person's doing. Anybody may register a program, so an address
 * elsewhere would make of ours a link to anywhere (RFC 9700 section 4.11.2).
 */
export function isOnThisComputer(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri)
}

/** Where an answer goes, for a person to read. */
export function sayDestination(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (isOnThisComputer(redirectUri)) return `a program on this computer (${hostname})`
  return protocol === 'https:' ? host : `the program on this computer that opens ${protocol} links`
}

/** What a page's policy calls the place of an address; all of a scheme where it has no name for the host. */
export function policySource(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol
}
