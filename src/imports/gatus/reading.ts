import type { Assertion } from '../../core/expectations/assertion.ts'
import type { Said } from '../../core/language/said.ts'
import { type OTHERWISE, UNASKED } from './condition-reasons.ts'

/** A condition of Gatus as a monitor can check it. */
export type ConditionReading =
  | { kind: 'status'; accepts: (code: number) => boolean }
  | { kind: 'connected'; isWanted: boolean }
  /** A body with a text in it: the first one is the keyword of the monitor. */
  | { kind: 'contains'; keyword: string; assertion: Assertion }
  | Asserted
  | { kind: 'unasked'; reason: Said }

export type Asserted = {
  kind: 'asserted'
  assertions: Assertion[]
  otherwise: (keyof typeof OTHERWISE)[]
  /** The days that must be left of the certificate. */
  days?: number
  /** The response may take so long. */
  atMostMs?: number
}

export const UNREADABLE: ConditionReading = { kind: 'unasked', reason: UNASKED['anything else'] }

/** Assertions that judge as a condition does; it is not asked where one of them cannot be. */
export function asserted(
  assertions: (Assertion | null)[],
  { otherwise = [], ...besides }: Partial<Omit<Asserted, 'kind' | 'assertions'>> = {},
): ConditionReading {
  const fit = assertions.filter((assertion) => assertion !== null)
  if (fit.length < assertions.length)
    return { kind: 'unasked', reason: UNASKED['a text or path that is too long'] }
  return { kind: 'asserted', assertions: fit, otherwise, ...besides }
}
