import { problemOf, Refusal } from '../core/errors.ts'
import type { Parsed } from '../core/validation.ts'
import { isPassingTrouble } from '../store/passing-trouble.ts'
import type { Answer } from './implementation.ts'
import type { Services } from './services.ts'

const UNAVAILABLE_RETRY_SECONDS = 5
const UNAVAILABLE =
  'The service cannot use its database at the moment. Ask again, and see what was done before.'

/**
 * The answer to a refusal. Anything else that was thrown is told to us and not to the client: a database that is out of
 * reach is worth asking again for, and the rest is a bug.
 */
export function refusalAnswer(
  services: Pick<Services, 'docsUrl' | 'onBug'>,
  error: unknown,
  headers: Record<string, string> = {},
): Answer {
  const refusal = error instanceof Refusal ? error : faultOf(error)
  if (refusal !== error) services.onBug(error)
  const body = problemOf(refusal.code, refusal.members, services.docsUrl)
  return {
    status: body.status,
    body,
    headers: { ...headers, ...refusal.headers, 'content-type': 'application/problem+json' },
  }
}

function faultOf(error: unknown): Refusal {
  if (!isPassingTrouble(error)) return new Refusal('internal')
  const headers = { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) }
  return new Refusal('unavailable', { detail: UNAVAILABLE }, headers)
}

export function parseOrRefuse<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw Refusal.invalid(parsed.errors)
  return parsed.value
}
