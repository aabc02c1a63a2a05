import { problemOf, Refusal } from '../core/errors.ts'
import type { Parsed } from '../core/validation.ts'
import type { Answer } from './implementation.ts'
import type { Services } from './services.ts'

/** Turns a refusal into an answer. Any other error is a bug: it is reported to us, and the client gets no details. */
export function refusalAnswer(
  services: Pick<Services, 'docsUrl' | 'onBug'>,
  error: unknown,
  headers: Record<string, string> = {},
): Answer {
  const refusal = error instanceof Refusal ? error : new Refusal('internal')
  if (refusal !== error) services.onBug(error)
  const body = problemOf(refusal.code, refusal.members, services.docsUrl)
  return {
    status: body.status,
    body,
    headers: { ...headers, ...refusal.headers, 'content-type': 'application/problem+json' },
    refusal: { said: refusal.said, faults: refusal.faults },
  }
}

export function parseOrRefuse<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw Refusal.invalid(parsed.faults)
  return parsed.value
}
