import type { FieldErrors } from '../../src/core/validation.ts'

/** A refusal (RFC 9457), or the news that nobody answered. */
export class Problem extends Error {
  /** 0 when there was no answer at all. */
  readonly status: number
  readonly title: string
  /** Field path to what is wrong with it. */
  readonly errors: FieldErrors
  /** Of a sign-in whose password was right: whether the code is missing or wrong. */
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

/** What is wrong with each field, of anything that was thrown or of nothing. */
export function faultsOf(error: unknown): FieldErrors {
  return error instanceof Problem ? error.errors : {}
}

/** What a person can be told about anything that was thrown. */
export function sayProblem(error: unknown): string {
  if (!(error instanceof Problem)) return 'Something went wrong in this page. Load it again.'
  // Where more is to be said than that one may not, the service says it.
  if (error.status === 403 && error.message === error.title) return 'Your role does not allow that.'
  if (error.status === 429) return 'That was a bit too fast. Wait a moment and try again.'
  return error.message
}
