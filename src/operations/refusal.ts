import { problemOf, Refusal } from '../core/errors.ts'
import { said } from '../core/language/said.ts'
import type { Parsed } from '../core/validation.ts'
import { isClash } from '../postgres/sql-states.ts'
import type { Answer } from './implementation.ts'
import type { Services } from './services.ts'

/** After this long the other request is over. */
const CLASH_SECONDS = 1

/**
 * Turns a refusal into an answer. Any other error is a bug: it is reported to us, and the client gets no details. After a
 * clash with another request, the same one finds things as they are by then: the client is asked to send it again.
 */
export function refusalAnswer(
  services: Pick<Services, 'docsUrl' | 'onBug'>,
  error: unknown,
  headers: Record<string, string> = {},
): Answer {
  const refusal = error instanceof Refusal ? error : isClash(error) ? clash() : new Refusal('internal')
  if (refusal !== error) services.onBug(error)
  const body = problemOf(refusal.code, refusal.members, services.docsUrl)
  return {
    status: body.status,
    body,
    headers: { ...headers, ...refusal.headers, 'content-type': 'application/problem+json' },
    refusal: { said: refusal.said, faults: refusal.faults },
  }
}

function clash(): Refusal {
  const sentence = said(
    'Another request changed the same records at the same moment: try again in {seconds} s.',
    { seconds: CLASH_SECONDS },
  )
  return Refusal.forNow('unavailable', CLASH_SECONDS, sentence)
}

export function parseOrRefuse<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw Refusal.invalid(parsed.faults)
  return parsed.value
}
