import { type CheckResult, passes } from '../check.ts'

const UP = 'is up, and should be down'

/** The result of a check of what should fail. Trouble on our side stays as it is. */
export function inverted(result: CheckResult): CheckResult {
  const { answer: _, note: __, unmet: ___, unmetAt: ____, expiry: _____, ...rest } = result
  if (result.status === 'down') return { ...rest, status: 'up', errorMessage: null }
  return passes(result.status) ? { ...rest, status: 'down', errorMessage: UP } : result
}
