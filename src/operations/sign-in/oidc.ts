import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { safeReturnPath } from '../../core/sign-in/identity.ts'
import type { Services } from '../services.ts'
import { makeCookie, readCookie } from './cookies.ts'
import { findOrMakeAccount } from './oidc-account.ts'
import type { OidcProvider, OidcSecrets } from './oidc-provider.ts'
import { startSession, type Visitor } from './sessions.ts'
import { countFailures, type Guard } from './throttle.ts'

export const OIDC_CALLBACK = '/auth/oidc/callback'

const COOKIE = 'upbeat_oidc'
const PURPOSE = 'oidc.attempt'
const ATTEMPT_SECONDS = 600

/** A sign-in in progress. Only the browser that began it stores it, sealed, so no other browser can finish it. */
type PendingSignIn = OidcSecrets & { returnTo: string; expiresAtMs: number }

export type Redirect = { location: string; cookies: string[] }

/** Sends a browser to the provider. */
export async function beginOidc(
  services: Services,
  provider: OidcProvider,
  returnTo: string | undefined,
  visitor: Visitor,
): Promise<Redirect> {
  const { location, secrets } = await countFailures(guardsOf(services, visitor), () =>
    provider.begin(services.siteUrl + OIDC_CALLBACK),
  )
  const expiresAtMs = services.now().getTime() + ATTEMPT_SECONDS * 1_000
  const pending: PendingSignIn = { ...secrets, returnTo: safeReturnPath(returnTo), expiresAtMs }
  const sealed = services.vault.seal(JSON.stringify(pending), PURPOSE, null)
  return { location, cookies: [makeCookie(services, COOKIE, sealed, ATTEMPT_SECONDS)] }
}

/**
 * Signs in the person returning from the provider. The second factor is the provider's responsibility, so ours is not
 * required. `search` is the raw query string.
 */
export async function finishOidc(
  services: Services,
  provider: OidcProvider,
  { cookie, search }: { cookie: string | undefined; search: string },
  visitor: Visitor,
): Promise<Redirect> {
  const callback = new URL(services.siteUrl + OIDC_CALLBACK + search)
  const pending = readPending(services, cookie)
  if (!pending || callback.searchParams.get('state') !== pending.state) throw notPending()
  const identity = await countFailures(guardsOf(services, visitor), () => provider.finish(callback, pending))
  const session = await services.db.query.transaction().execute(async (query) => {
    const userId = await findOrMakeAccount(services, query, identity, visitor)
    return startSession(services, query, userId, visitor)
  })
  return { location: services.siteUrl + pending.returnTo, cookies: [session, endedOidcCookie(services)] }
}

/**
 * Counts only refusals and failures at the provider: any page can make a browser load these URLs, and a sign-in that
 * this browser did not begin is refused earlier.
 */
function guardsOf({ limits }: Services, { address }: Visitor): Guard[] {
  return [[limits.perOidcAddress, address]]
}

/** A sign-in can be tried only once, even if it fails. */
export function endedOidcCookie(services: Services): string {
  return makeCookie(services, COOKIE, '', 0)
}

function readPending(services: Services, cookieHeader: string | undefined): PendingSignIn | null {
  try {
    const sealed = readCookie(services, cookieHeader, COOKIE) ?? ''
    const pending = JSON.parse(services.vault.open(sealed, PURPOSE, null)) as PendingSignIn
    return pending.expiresAtMs > services.now().getTime() ? pending : null
  } catch {
    return null
  }
}

function notPending(): Refusal {
  return new Refusal('gone', {
    detail: said(
      'This sign-in was begun in another browser or window, or more than ten minutes ago. Begin again.',
    ),
  })
}
