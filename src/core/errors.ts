import type { FieldErrors } from './validation.ts'
import { summarize } from './validation.ts'

/**
 * Every refusal a client can receive. `page` is a path below the docs address; without one the type is `about:blank`.
 */
export const PROBLEMS = {
  unauthorized: { status: 401, title: 'Unauthorized' },
  monitorLimitReached: {
    status: 402,
    title: 'Monitor limit reached',
    page: '/problems/monitor-limit-reached',
  },
  planLimitReached: { status: 402, title: 'Plan limit reached' },
  forbidden: { status: 403, title: 'Forbidden' },
  notFound: { status: 404, title: 'Not Found' },
  methodNotAllowed: { status: 405, title: 'Method Not Allowed' },
  conflict: { status: 409, title: 'Conflict' },
  gone: { status: 410, title: 'Gone' },
  contentTooLarge: { status: 413, title: 'Content Too Large' },
  unsupportedMediaType: { status: 415, title: 'Unsupported Media Type' },
  validationFailed: { status: 422, title: 'Validation failed', page: '/problems/validation-failed' },
  tooManyRequests: { status: 429, title: 'Too Many Requests' },
  internal: { status: 500, title: 'Internal Server Error' },
  unavailable: { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, { status: number; title: string; page?: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** Codes of refusals for now: each says how long to wait in `Retry-After`, and in its `detail` where it says why. */
type WaitCode = 'tooManyRequests' | 'unavailable'

/** The body of a refusal (RFC 9457). */
export type Problem = { type: string; title: string; status: number; [member: string]: unknown }

const TOO_MANY = 'Too many requests: try again in {seconds} s.'

/** Thrown by operations to refuse a request; the edges turn it into a problem document. */
export class Refusal extends Error {
  readonly code: ProblemCode
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    code: Exclude<ProblemCode, WaitCode>,
    members?: Record<string, unknown>,
    headers?: Record<string, string>,
  )
  constructor(code: WaitCode, members: { detail?: string }, headers: { 'retry-after': string })
  constructor(
    code: ProblemCode,
    members: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(typeof members.detail === 'string' ? members.detail : PROBLEMS[code].title)
    this.code = code
    this.members = members
    this.headers = headers
  }

  /** `sentence` says why, and has `{seconds}` where it says how long. */
  static forNow(code: WaitCode, seconds: number, sentence: string): Refusal {
    const detail = sentence.replace('{seconds}', String(seconds))
    return new Refusal(code, { detail }, { 'retry-after': String(seconds) })
  }

  /** A rate limit that is used up. Its document has no `detail`: the API's contract names its members. */
  static tooMany(seconds: number): Refusal {
    const refusal = new Refusal('tooManyRequests', {}, { 'retry-after': String(seconds) })
    refusal.message = TOO_MANY.replace('{seconds}', String(seconds))
    return refusal
  }

  static invalid(errors: FieldErrors): Refusal {
    return new Refusal('validationFailed', { detail: summarize(errors), errors })
  }
}

/** The problem document of a refusal; `docsUrl` is the base of the problem types. */
export function problemOf(code: ProblemCode, members: Record<string, unknown>, docsUrl: string): Problem {
  const { status, title, ...rest } = PROBLEMS[code]
  return { type: 'page' in rest ? `${docsUrl}${rest.page}` : 'about:blank', title, status, ...members }
}
