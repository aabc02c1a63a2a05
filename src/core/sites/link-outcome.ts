import * as z from 'zod'
import type { Said } from '../language/said.ts'

/**
 * The verdict on one address that a crawl asked for. `unjudged`: it could not be judged (a wall against robots, too many
 * requests, robots.txt), which is listed and never told; `hint`: it works and could be better (a permanent redirect).
 */
export const LinkVerdict = z.enum(['fine', 'hint', 'broken', 'unjudged'])
export type LinkVerdict = z.infer<typeof LinkVerdict>

export const LinkOutcomeKind = z.enum([
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
export type LinkOutcomeKind = z.infer<typeof LinkOutcomeKind>

export const LinkOutcome = z.object({
  verdict: LinkVerdict,
  kind: LinkOutcomeKind,
  /** Null without an answer. */
  status_code: z.int().nullable(),
  /** A sentence: `answered 404`, `no such host`. */
  detail: z.string(),
  /** The same as data, where the sentence is ours and not the server's. */
  said: z.custom<Said>().optional(),
  /** Where redirects ended, if they led elsewhere. */
  final_address: z.string().nullable(),
  /** Only a part of it was read: that something is not there says nothing. */
  is_cut: z.boolean().optional(),
})
export type LinkOutcome = z.infer<typeof LinkOutcome>
