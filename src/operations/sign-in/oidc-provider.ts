import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { Refusal } from '../../core/errors.ts'
import type { Identity } from '../../core/sign-in/identity.ts'
import { describeFailure, refusalOf, unreachable } from './oidc-failure.ts'

const MAX_ANSWER_BYTES = 1024 * 1024
/** A provider's metadata rarely changes; its keys are fetched again when one is unknown. */
const KNOWN_FOR_MS = 3_600_000
/** OpenID Connect Core, section 2. */
const MAX_SUBJECT_LENGTH = 255

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string; name: string }

/** Secrets that only the browser that began a sign-in can present. */
export type OidcSecrets = { state: string; nonce: string; verifier: string }

export type OidcProvider = {
  /** The name shown to people. */
  name: string
  /** The URL that starts a sign-in. Refuses when the provider cannot be reached. */
  begin(redirectUri: string): Promise<{ location: string; secrets: OidcSecrets }>
  /** Identifies the person who returned to `callback`. Refuses a response that does not prove it. */
  finish(callback: URL, secrets: OidcSecrets): Promise<Identity>
}

/** Loaded on first use: most services have no provider. */
const library = () => import('openid-client')

/**
 * An identity provider (OpenID Connect: authorization code, PKCE). It is not contacted until needed, and for no longer
 * than `timeoutSeconds`.
 */
export function createOidcProvider(
  settings: OidcSettings,
  deps: { now: () => Date; note: (failure: string) => void; timeoutSeconds: number },
): OidcProvider {
  const { name } = settings
  let known: { configuration: Promise<Configuration>; untilMs: number } | null = null

  /** Shared by all sign-ins; after a failure the next one tries again. */
  function discover(): Promise<Configuration> {
    const nowMs = deps.now().getTime()
    if (known && nowMs < known.untilMs) return known.configuration
    const fresh = { configuration: askProvider(settings, deps.timeoutSeconds), untilMs: nowMs + KNOWN_FOR_MS }
    known = fresh
    fresh.configuration.catch(() => {
      if (known === fresh) known = null
    })
    return fresh.configuration
  }

  /** Runs `work`. On failure the operator gets the details, and the person a refusal. */
  async function orRefuse<T>(refuse: (error: unknown) => Refusal, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      deps.note(describeFailure(error))
      throw refuse(error)
    }
  }

  const reach = () => orRefuse(() => unreachable(name), discover)

  return {
    name,
    async begin(redirectUri) {
      const configuration = await reach()
      const client = await library()
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const location = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      })
      return { location: location.href, secrets }
    },
    async finish(callback, secrets) {
      const configuration = await reach()
      return orRefuse(
        (error) => refusalOf(error, name),
        () => identify(configuration, callback, secrets),
      )
    },
  }
}

async function identify(
  configuration: Configuration,
  callback: URL,
  secrets: OidcSecrets,
): Promise<Identity> {
  const client = await library()
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims || !isStorable(claims.sub))
    throw Object.assign(new Error('the ID token names nobody'), { code: 'OAUTH_INVALID_RESPONSE' })
  // Some providers return the address only from the user info endpoint.
  const asksAgain = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
  const details = asksAgain
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : claims
  return { issuer: claims.iss, subject: claims.sub, ...describePerson(details) }
}

async function askProvider(
  { issuer, clientId, clientSecret }: OidcSettings,
  timeoutSeconds: number,
): Promise<Configuration> {
  const client = await library()
  const url = new URL(issuer)
  // Checks signatures even though TLS protects the response, so that a proxy in between need not be trusted.
  const execute = [client.enableNonRepudiationChecks]
  if (url.protocol === 'http:') execute.push(client.allowInsecureRequests)
  const authenticate: ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic')
    return (isBasic ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret)(server, ...rest)
  }
  return client.discovery(url, clientId, { client_secret: clientSecret }, authenticate, {
    execute,
    timeout: timeoutSeconds,
    [client.customFetch]: fetchBounded,
  })
}

/**
 * The library sets the deadline, which also covers the body. A redirect is an answer that it refuses: no document, key or
 * token of a provider comes from an address that the provider's own documents do not name.
 */
const fetchBounded: CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  const body = response.body && Buffer.concat(chunks)
  return new Response(body, { status: response.status, headers: response.headers })
}

/** The database stores neither NUL nor lone surrogates. */
function isStorable(subject: string): boolean {
  return subject.length <= MAX_SUBJECT_LENGTH && subject.isWellFormed() && !subject.includes('\0')
}

function describePerson(details: Record<string, unknown>): Omit<Identity, 'issuer' | 'subject'> {
  const { email, email_verified, name } = details
  return {
    email: typeof email === 'string' ? email : null,
    // Amazon Cognito sends a string.
    isEmailVerified: email_verified === true || email_verified === 'true',
    name: typeof name === 'string' ? name : null,
  }
}
