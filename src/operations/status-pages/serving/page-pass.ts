import { clientNetwork } from '../../../core/client-address.ts'
import { Refusal } from '../../../core/errors.ts'
import { PagePassword } from '../../../core/status-pages/status-page.ts'
import type { RateLimit } from '../../../store/rate-limits.ts'
import { readPagePassword } from '../../../store/status-pages/page-secrets.ts'
import type { Services } from '../../services.ts'
import { makeCookie, readCookie } from '../../sign-in/cookies.ts'
import { verifyPassword } from '../../sign-in/passwords.ts'
import { countFailures, type Guard } from '../../sign-in/throttle.ts'
import type { ServedPage } from './followed-pages.ts'

const COOKIE = 'upbeat_page'
const PURPOSE = 'page-pass'
const LIFETIME_SECONDS = 30 * 24 * 3_600

/** A browser in which the page's password was entered. Only the browser stores this, sealed. */
type PagePass = { pageId: number; revision: number; expiresAtMs: number }

/** Whether the browser's cookie is of this page and its present password. */
export function hasPass(
  services: Services,
  { id, passwordRevision }: Pick<ServedPage, 'id' | 'passwordRevision'>,
  cookieHeader: string | undefined,
): boolean {
  const sealed = readCookie(services, cookieHeader, COOKIE, true)
  if (sealed === null) return false
  try {
    const pass = JSON.parse(services.vault.open(sealed, PURPOSE, null)) as PagePass
    const isOfPage = pass.pageId === id && pass.revision === passwordRevision
    return isOfPage && pass.expiresAtMs > services.now().getTime()
  } catch {
    return false
  }
}

/**
 * The `Set-Cookie` for the right password of a page; null for a wrong one. Refuses further tries of a client that failed
 * often (429), and earlier while many clients fail: a page-wide limit would let any of them lock everyone out. `path`: of
 * the page, which alone gets the cookie.
 */
export async function enterPage(
  services: Services,
  page: ServedPage,
  { password, clientAddress, path }: { password: string; clientAddress: string; path: string },
): Promise<string | null> {
  const { perPageClient, perPage, perStrainedPageClient } = services.limits
  const client = `${page.id} ${clientNetwork(clientAddress)}`
  try {
    return await countFailures(
      [
        [perPageClient, client],
        [orElse([perPage, page.id], [perStrainedPageClient, client]), ''],
      ],
      async () => {
        const known = await readPagePassword(services.db.query, page)
        const isRight =
          known !== null &&
          PagePassword.safeParse(password).success &&
          (await verifyPassword(password, known.hash))
        if (!isRight) throw new Refusal('unauthorized')
        const pass: PagePass = {
          pageId: page.id,
          revision: known.revision,
          expiresAtMs: services.now().getTime() + LIFETIME_SECONDS * 1_000,
        }
        const sealed = services.vault.seal(JSON.stringify(pass), PURPOSE, null)
        return makeCookie(services, COOKIE, sealed, LIFETIME_SECONDS, path)
      },
    )
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') return null
    throw error
  }
}

/** Counts by the first guard, and by the other while that is used up. */
function orElse([limit, key]: Guard, [other, otherKey]: Guard): RateLimit {
  let isUsedUp = false
  return {
    async take() {
      const allowance = await limit.take(key)
      isUsedUp = allowance.retryAfterSeconds !== null
      if (!isUsedUp) return allowance
      await limit.giveBack(key)
      return other.take(otherKey)
    },
    giveBack: () => (isUsedUp ? other.giveBack(otherKey) : limit.giveBack(key)),
  }
}
