import { hash } from 'node:crypto'
import { putLast } from '../../core/bounded-map.ts'
import { noAccessToken } from '../../core/monitors/cause.ts'
import { resultWithout } from '../../core/monitors/check.ts'
import type { MonitorAuth } from '../../core/monitors/options/auth.ts'
import { requestOnce } from '../../net/http-request.ts'
import type { Network } from '../../net/network.ts'
import { type ProbeAttempt, unanswered } from '../attempt.ts'
import { basicCredentials, type WebSettings } from '../hop.ts'
import { maskOf } from '../mask-secrets.ts'
import { tlsTermsOf, wayOf } from '../way.ts'
import type { Authorized, Authorizer } from './authorizer.ts'

type OAuth2 = Extract<MonitorAuth, { type: 'oauth2' }>
type Current = ProbeAttempt<WebSettings>

const MAX_KEPT = 10_000
const MAX_ANSWER_BYTES = 65_536
const MAX_TOKEN_LENGTH = 8_192
/** Without `expires_in`. */
const DEFAULT_SECONDS = 300
const MAX_SECONDS = 86_400
/** A token is not used in its last seconds: it must still be good once it arrives. */
const MARGIN_SECONDS = 10
const SUCCESS = 200
/** Visible characters of ASCII: a header carries no others. */
const TOKEN = /^[\x21-\x7e]+$/
/** The codes of RFC 6749, section 5.2, and others like them; descriptions may repeat what was sent. */
const ERROR = /^[a-z_]{1,40}$/

type Kept = { token: string; untilMs: number }
/** Tokens are kept in memory alone, by what they were asked for with. */
const kept = new WeakMap<Network, Map<string, Kept>>()
/** The requests for tokens that are under way, by the same. */
const underWay = new WeakMap<Network, Map<string, Promise<Asked>>>()

/**
 * OAuth 2 client credentials (RFC 6749, section 4.4): a token is kept until it expires, and replaced once after a 401. Checks that
 * need it at the same time share one request for it.
 */
export function createOAuth2(current: Current, auth: OAuth2): Authorizer {
  const { team_id = 0, options } = current.settings
  const { proxy, resolver, ip_version, tls } = options ?? {}
  const key = hash('sha256', JSON.stringify([team_id, auth, proxy, resolver, ip_version, tls]))
  const tokens = kept.get(current.network) ?? new Map<string, Kept>()
  kept.set(current.network, tokens)
  const requests = underWay.get(current.network) ?? new Map<string, Promise<Asked>>()
  underWay.set(current.network, requests)
  let used: string | null = null
  let isRenewed = false

  async function renew(): Promise<Authorized> {
    const beganAt = performance.now()
    current.authorizing()
    const asked = await askTogether()
    current.setAside(performance.now() - beganAt)
    if (asked.kind === 'failed') {
      const cause = maskOf(current).apply(noAccessToken(asked.reason))
      // Once time is up, that is the cause.
      const isOurs = asked.isOurs && !current.signal.aborted
      return { kind: 'ended', result: isOurs ? resultWithout('pending', cause) : unanswered(current, cause) }
    }
    return use(asked.token)
  }
  /** An answer of the provider to another check holds for this one; how that check reached it does not. */
  async function askTogether(): Promise<Asked> {
    for (let other = requests.get(key); other; other = requests.get(key)) {
      const asked = await Promise.race([other.catch(() => null), aborted(current.signal)])
      if (asked !== null && (asked.kind === 'token' || asked.isAnswered)) return asked
      if (current.signal.aborted) return { kind: 'failed', reason: '', isOurs: false, isAnswered: false }
    }
    const own = askForToken(current, auth).then((asked) => {
      if (asked.kind === 'token') keep(asked)
      return asked
    })
    requests.set(key, own)
    try {
      return await own
    } finally {
      requests.delete(key)
    }
  }
  function keep({ token, seconds }: { token: string; seconds: number }): void {
    const untilMs = performance.now() + (seconds - MARGIN_SECONDS) * 1_000
    putLast(tokens, key, { token, untilMs }, MAX_KEPT)
  }
  function use(token: string): Authorized {
    current.secrets.push(token)
    used = token
    return { kind: 'value', value: `Bearer ${token}` }
  }

  return {
    async begin() {
      const known = tokens.get(key)
      return known && performance.now() < known.untilMs ? use(known.token) : renew()
    },
    async again() {
      if (isRenewed) return null
      isRenewed = true
      const known = tokens.get(key)
      // Another check has renewed it meanwhile.
      if (known && known.token !== used) return use(known.token)
      tokens.delete(key)
      return renew()
    },
    isForOneRequest: false,
  }
}

/** `isAnswered`: the provider itself gave none. */
type Asked =
  | { kind: 'token'; token: string; seconds: number }
  | { kind: 'failed'; reason: string; isOurs: boolean; isAnswered: boolean }

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

async function askForToken(current: Current, auth: OAuth2): Promise<Asked> {
  const { network, settings, signal } = current
  const { token_url, client_id, client_secret, scope, audience, auth_style = 'basic' } = auth
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(auth_style === 'body' && { client_id, client_secret }),
  })
  const isOwn = new URL(token_url).origin === new URL(settings.url).origin
  const answer = await requestOnce(
    network,
    {
      kind: 'check',
      url: token_url,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
        ...(auth_style === 'basic' && {
          Authorization: `Basic ${basicCredentials(encoded(client_id), encoded(client_secret))}`,
        }),
      },
      body: form.toString(),
      maxBytes: MAX_ANSWER_BYTES,
      way: await wayOf(current),
      onWay: (via) => current.wentThrough(via),
      terms: tlsTermsOf(settings, isOwn),
    },
    settings.request_timeout_seconds * 1_000,
    signal,
  )
  if (answer.kind === 'failed') return { ...answer, isOurs: answer.isOurs ?? false, isAnswered: false }
  return tokenIn(answer.statusCode, answer.body)
}

function tokenIn(statusCode: number, body: string): Asked {
  const failed = (reason: string): Asked => ({
    ...{ kind: 'failed', reason },
    ...{ isOurs: false, isAnswered: true },
  })
  const { access_token: token, token_type: type, expires_in, error } = membersOf(body)
  if (statusCode !== SUCCESS) {
    const code = typeof error === 'string' && ERROR.test(error) ? ` (${error})` : ''
    return failed(`HTTP ${statusCode}${code}`)
  }
  if (typeof token !== 'string' || token === '') return failed('the answer holds none')
  if (token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) return failed('it cannot be sent')
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') return failed('it is of another type')
  // Some providers write the number as text.
  const seconds = Number(expires_in ?? DEFAULT_SECONDS)
  return { kind: 'token', token, seconds: seconds > 0 ? Math.min(seconds, MAX_SECONDS) : DEFAULT_SECONDS }
}

function membersOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** As a form has it (RFC 6749, section 2.3.1). */
function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
