import type { LinkOutcome } from '../link-outcome.ts'
import { saysNotFound } from './soft-404.ts'
import { isWall } from './walls.ts'

/** A chain that is longer is a fault of its own: browsers bear 20, search engines about 5. */
export const MAX_REDIRECTS = 5

/** The answer of one address over the network, or why there is none. */
export type Asked =
  | {
      kind: 'answered'
      statusCode: number
      /** Lower-case names. */
      headers: Record<string, string | undefined>
      /** Where redirects ended. */
      finalAddress: string
      /** Status codes of the redirects on the way. */
      redirects: number[]
      /** The title of an HTML page; null for others. */
      title: string | null
    }
  | { kind: 'loop' | 'too_many_redirects'; finalAddress: string; setsCookies: boolean }
  | { kind: 'no_such_host' | 'bad_certificate' | 'no_answer' | 'private_address'; reason: string }

const PERMANENT = new Set([301, 308])
/** Placeholders that scripts of a proxy replace by mail addresses in a browser. */
const ARTEFACT = /\/cdn-cgi\/l\/email-protection(?:$|[?#])/
const SIGN_IN_PATH = /\/(?:log-?in|sign-?in|auth|sso|account\/login)(?:\/|$|\.)/i

/** Judges the answer to a GET: calmly, since of what robots see as broken, most is a wall against them. */
export function judgeAnswer(address: string, asked: Asked, isOfSite: boolean): LinkOutcome {
  if (asked.kind !== 'answered') return judgeFailure(asked)
  const { statusCode, headers, finalAddress } = asked
  const final_address = finalAddress === address ? null : finalAddress
  const outcome = (
    verdict: LinkOutcome['verdict'],
    kind: LinkOutcome['kind'],
    detail: string,
  ): LinkOutcome => ({
    verdict,
    kind,
    status_code: statusCode,
    detail,
    final_address,
  })
  if (ARTEFACT.test(address)) return outcome('fine', 'ok', 'is filled in by a script of the proxy')
  if (statusCode === 429) return outcome('unjudged', 'too_many_requests', 'answered 429: too many requests')
  if (isWall(statusCode, headers, new URL(finalAddress).hostname))
    return outcome('unjudged', 'wall', `answered ${statusCode}, which the site may say to robots only`)
  if (statusCode >= 400) return outcome('broken', 'http_error', `answered ${statusCode}`)
  if (statusCode < 200 || statusCode >= 300)
    return outcome('broken', 'http_error', `answered ${statusCode} without leading anywhere`)
  if (isOfSite && isSoft404(address, asked))
    return outcome('hint', 'soft_404', `answered ${statusCode}, but seems to say that the page is missing`)
  const isMoved = asked.redirects.length > 0 && asked.redirects.every((code) => PERMANENT.has(code))
  if (isOfSite && isMoved) return outcome('hint', 'redirects_for_good', `has moved to ${finalAddress}`)
  return outcome('fine', 'ok', `answered ${statusCode}`)
}

function judgeFailure(asked: Exclude<Asked, { kind: 'answered' }>): LinkOutcome {
  const failed = (
    kind: LinkOutcome['kind'],
    detail: string,
    final_address: string | null = null,
  ): LinkOutcome => ({
    verdict: kind === 'private_address' || kind === 'wall' ? 'unjudged' : 'broken',
    kind,
    status_code: null,
    detail,
    final_address,
  })
  // A browser keeps the cookies, and may get through.
  if ((asked.kind === 'loop' || asked.kind === 'too_many_redirects') && asked.setsCookies)
    return failed(
      'wall',
      `redirects again and again, and sets cookies, at ${asked.finalAddress}`,
      asked.finalAddress,
    )
  switch (asked.kind) {
    case 'loop':
      return failed('redirect_loop', `redirects in a circle, at ${asked.finalAddress}`, asked.finalAddress)
    case 'too_many_redirects':
      return failed('too_many_redirects', `redirects more than ${MAX_REDIRECTS} times`, asked.finalAddress)
    default:
      return failed(asked.kind, asked.reason)
  }
}

/** A page that says so in its title, or an address deep within the site that leads to its first page or to its sign-in. */
function isSoft404(
  address: string,
  { finalAddress, redirects, title }: Asked & { kind: 'answered' },
): boolean {
  if (title !== null && saysNotFound(title)) return true
  if (redirects.length === 0) return false
  const [from, to] = [new URL(address), new URL(finalAddress)]
  const leadsHome = to.pathname === '/' && to.search === '' && from.pathname.length > 1
  return leadsHome || (SIGN_IN_PATH.test(to.pathname) && !SIGN_IN_PATH.test(from.pathname))
}
