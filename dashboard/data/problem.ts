import type { FieldErrors } from '../../src/core/validation.ts'
import { sayFaultOf, sayFaults, sayMessage } from '../language/faults.ts'
import { t } from '../language/language.ts'

/** A refusal (RFC 9457), or a request without a response. */
export class Problem extends Error {
  /** 0 without a response. */
  readonly status: number
  readonly title: string
  /** Faults by field path. */
  readonly errors: FieldErrors
  /** Set if the password of a sign-in was right: whether the code is missing or wrong. */
  readonly secondFactor: SecondFactor | null

  constructor(
    status: number,
    title: string,
    detail: string | undefined,
    errors: FieldErrors = {},
    secondFactor: SecondFactor | null = null,
  ) {
    super(detail ?? title)
    this.status = status
    this.title = title
    this.errors = errors
    this.secondFactor = secondFactor
  }
}

export type SecondFactor = 'required' | 'wrong'

/** The faults by field of a refusal; none for any other error, or without one. */
export function faultsOf(error: unknown): FieldErrors {
  return error instanceof Problem ? sayFaults(error.errors) : {}
}

/** A message for people about any error. */
export function sayProblem(error: unknown): string {
  if (!(error instanceof Problem)) return t('Something went wrong on this page. Reload it.')
  // A refusal with a detail of its own says more than this.
  if (error.status === 403 && error.message === error.title) return t('Your role does not allow this.')
  if (error.status === 429 && error.message === error.title)
    return t('Too many requests. Wait a moment and try again.')
  return asSentence(sayReason(error))
}

/** The reason of a refusal. Of one field it is the fault, which the detail repeats. */
export function sayReason({ message, errors }: Problem): string {
  const [[field, [fault]] = ['', []], ...others] = Object.entries(errors)
  if (fault === undefined || others.length > 0 || message !== `${fault}.`) return sayMessage(message)
  return `${sayFaultOf(fault, field)}.`
}

/** Messages begin with the name of a field: one that is a word begins a sentence. */
export function asSentence(text: string): string {
  return text.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
}
