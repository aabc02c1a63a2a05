import * as z from 'zod'

/**
 * What became of one address that a crawl asked for. `unjudged`: it could not be judged (a wall against robots, too many
 * requests, robots.txt), which is listed and never told; `hint`: it works and could be better (a permanent redirect).
 */
export const Verdict = z.enum(['fine', 'hint', 'broken', 'unjudged'])
export type Verdict = z.infer<typeof Verdict>

export const OutcomeKind = z.enum([
  'ok',
  'redirects_for_good',
  'soft_404',
  'http_error',
  'no_such_host',
  'bad_certificate',
  'no_answer',
  'redirect_loop',
  'too_many_redirects',
  'forbidden_by_robots',
  'wall',
  'too_many_requests',
  'private_address',
  'not_looked_at',
])
export type OutcomeKind = z.infer<typeof OutcomeKind>

export const Outcome = z.object({
  verdict: Verdict,
  kind: OutcomeKind,
  /** Null without an answer. */
  status_code: z.int().nullable(),
  /** A sentence: `answered 404`, `no such host`. */
  detail: z.string(),
  /** Where redirects ended, if they led elsewhere. */
  final_address: z.string().nullable(),
})
export type Outcome = z.infer<typeof Outcome>
