import type { Said } from '../../src/core/language/said.ts'
import type { ImportKind } from '../../src/core/moving-in/kinds.ts'
import type { Faults, FieldErrors } from '../../src/core/validation.ts'
import { sayFaults, sayRefusal } from '../language/faults.ts'
import { t } from '../language/language.ts'

/** A refusal (RFC 9457), or a request without a response. */
export class Problem extends Error {
  /** 0 without a response. */
  readonly status: number
  readonly title: string
  /** Whether it says more than its title. */
  readonly hasDetail: boolean
  /** Faults by field path. */
  readonly faults: Faults
  /** Its sentence as data, if it has one of its own. */
  readonly said: Said | null
  /** Set if the password of a sign-in was right: whether the code is missing or wrong. */
  readonly secondFactor: SecondFactor | null
  /** Set if there is no session: when the last one ended, null if nobody knows. */
  readonly sessionEndedAt: string | null | undefined
  /** The service of which a file looks like an export, if it is not the one that was chosen. */
  readonly looksLike: ImportKind | null

  constructor(
    status: number,
    title: string,
    detail: string | undefined,
    {
      said = null,
      faults = {},
      secondFactor = null,
      sessionEndedAt,
      looksLike = null,
    }: {
      said?: Said | null
      faults?: Faults
      secondFactor?: SecondFactor | null
      sessionEndedAt?: string | null | undefined
      looksLike?: ImportKind | null
    } = {},
  ) {
    super(detail ?? title)
    this.status = status
    this.title = title
    this.hasDetail = detail !== undefined
    this.faults = faults
    this.said = said
    this.secondFactor = secondFactor
    this.sessionEndedAt = sessionEndedAt
    this.looksLike = looksLike
  }
}

export type SecondFactor = 'required' | 'wrong'

/** The faults by field of a refusal; none for any other error, or without one. */
export function faultsOf(error: unknown): FieldErrors {
  return error instanceof Problem ? sayFaults(error.faults) : {}
}

/** A message for people about any error. */
export function sayProblem(error: unknown): string {
  if (!(error instanceof Problem)) return t('Something went wrong on this page. Reload it.')
  // A refusal with a detail of its own says more than this.
  if (error.status === 403 && !error.hasDetail) return t('Your role does not allow this.')
  if (error.status === 429 && !error.hasDetail) return t('Too many requests. Wait a moment and try again.')
  return asSentence(sayRefusal(error))
}

/** Messages begin with the name of a field: one that is a word begins a sentence. */
export function asSentence(text: string): string {
  return text.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
}
