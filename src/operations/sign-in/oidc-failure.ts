import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'

/** Codes for a provider that responds, but with an answer that proves nothing. */
const NO_PROOF = new Set([
  'OAUTH_RESPONSE_BODY_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])
const AGAIN_SECONDS = 30
const OUT_OF_ORDER = new Set(['server_error', 'temporarily_unavailable'])

type Failure = {
  name?: string
  message?: string
  code?: string
  error?: string
  status?: number
  cause?: unknown
}

/** The refusal shown to a person whose sign-in at the provider called `name` could not be verified. */
export function refusalOf(thrown: unknown, name: string): Refusal {
  const { code = '', error = '', status = 0 } = thrown as Failure
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && !OUT_OF_ORDER.has(error)) {
    return new Refusal('forbidden', { detail: said('{provider} did not sign you in.', { provider: name }) })
  }
  if (NO_PROOF.has(code) && status < 500) {
    return new Refusal('unauthorized', {
      detail: said('What {provider} answered does not prove who you are.', { provider: name }),
    })
  }
  return unreachable(name)
}

export function unreachable(name: string): Refusal {
  const sentence = said(
    '{provider} cannot be reached at the moment, or does not answer as it should. Try again in {seconds} s, or sign in by password.',
    { provider: name, seconds: AGAIN_SECONDS },
  )
  return Refusal.forNow('unavailable', AGAIN_SECONDS, sentence)
}

/** Describes the failure for the log, without anything that was sent or received. */
export function describeFailure(thrown: unknown): string {
  const { name, message, code, error, cause } = thrown as Failure
  const reason = cause instanceof Error ? ` (${cause.message})` : ''
  const named = typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? ` ${error}` : ''
  return `${code ?? name}${named}: ${message}${reason}`
}
