import type { FieldErrors } from '../../src/core/validation.ts'

/** A refusal (RFC 9457), or the news that nobody answered. */
export class Problem extends Error {
  /** 0 when there was no answer at all. */
  readonly status: number
  readonly title: string
  /** Field path to what is wrong with it. */
  readonly errors: FieldErrors

  constructor(status: number, title: string, detail: string | undefined, errors: FieldErrors = {}) {
    super(detail ?? title)
    this.status = status
    this.title = title
    this.errors = errors
  }
}

/** What a person can be told about anything that was thrown. */
export function sayProblem(error: unknown): string {
  if (!(error instanceof Problem)) return 'Something went wrong in this page. Load it again.'
  if (error.status === 403) return 'Your role does not allow that.'
  if (error.status === 429) return 'That was a bit too fast. Wait a moment and try again.'
  return error.message
}
