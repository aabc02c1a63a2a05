import { phrase } from './language/phrase.ts'
import { english, type Said, said } from './language/said.ts'
import { type Faults, printed, summarize } from './validation.ts'

/**
 * Every refusal a client can receive. `page` is a path below the docs address; without one the type is `about:blank`.
 */
export const PROBLEMS = {
  unauthorized: { status: 401, title: phrase('Unauthorized') },
  monitorLimitReached: {
    status: 402,
    title: phrase('Monitor limit reached'),
    page: '/problems/monitor-limit-reached',
  },
  planLimitReached: { status: 402, title: 'Plan limit reached' },
  forbidden: { status: 403, title: phrase('Forbidden') },
  notFound: { status: 404, title: phrase('Not Found') },
  methodNotAllowed: { status: 405, title: 'Method Not Allowed' },
  conflict: { status: 409, title: phrase('Conflict') },
  gone: { status: 410, title: phrase('Gone') },
  contentTooLarge: { status: 413, title: phrase('Content Too Large') },
  unsupportedMediaType: { status: 415, title: 'Unsupported Media Type' },
  validationFailed: { status: 422, title: phrase('Validation failed'), page: '/problems/validation-failed' },
  tooManyRequests: { status: 429, title: 'Too Many Requests' },
  internal: { status: 500, title: phrase('Internal Server Error') },
  unavailable: { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, { status: number; title: string; page?: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** Codes of refusals for now: each says how long to wait in `Retry-After`, and in its `detail` where it says why. */
type WaitCode = 'tooManyRequests' | 'unavailable'

/** The body of a refusal (RFC 9457). */
export type Problem = { type: string; title: string; status: number; [member: string]: unknown }

/** `said`: a sentence that the document does not have as its `detail`. */
type RefusalParts = { detail?: Said; said?: Said; faults?: Faults; [member: string]: unknown }

/**
 * Thrown by operations to refuse a request; the edges turn it into a problem document, whose members are English. `said`
 * and `faults` are its sentences as data, for readers of other languages.
 */
export class Refusal extends Error {
  readonly code: ProblemCode
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>
  readonly said: Said | null
  readonly faults: Faults

  constructor(code: Exclude<ProblemCode, WaitCode>, members?: RefusalParts, headers?: Record<string, string>)
  constructor(code: WaitCode, members: { detail?: Said; said?: Said }, headers: { 'retry-after': string })
  constructor(
    code: ProblemCode,
    { detail, said = detail, faults = {}, ...members }: RefusalParts = {},
    headers: Record<string, string> = {},
  ) {
    const errors = printed(faults)
    const isBroken = Object.keys(errors).length > 0
    super(said ? english(said) : isBroken ? summarize(errors) : PROBLEMS[code].title)
    const isTold = detail !== undefined || isBroken
    this.code = code
    this.members = { ...(isTold && { detail: this.message }), ...members, ...(isBroken && { errors }) }
    this.headers = headers
    this.said = said ?? null
    this.faults = faults
  }

  /** `sentence` says why, and how long where it says so. */
  static forNow(code: WaitCode, seconds: number, detail: Said): Refusal {
    return new Refusal(code, { detail }, { 'retry-after': String(seconds) })
  }

  /** A rate limit that is used up. Its document has no `detail`: the API's contract names its members. */
  static tooMany(seconds: number): Refusal {
    const sentence = said('Too many requests: try again in {seconds} s.', { seconds })
    return new Refusal('tooManyRequests', { said: sentence }, { 'retry-after': String(seconds) })
  }

  static invalid(faults: Faults): Refusal {
    return new Refusal('validationFailed', { faults })
  }
}

/** The problem document of a refusal; `docsUrl` is the base of the problem types. */
export function problemOf(code: ProblemCode, members: Record<string, unknown>, docsUrl: string): Problem {
  const { status, title, ...rest } = PROBLEMS[code]
  return { type: 'page' in rest ? `${docsUrl}${rest.page}` : 'about:blank', title, status, ...members }
}
