import { codePoints, text } from '../text.ts'

export const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 1_024

/** A password as entered: any text, because the rules apply only when a password is set. */
export const TriedPassword = text(MAX_PASSWORD_LENGTH)

/** A password being set. `passwordFault` applies the rules that depend on the account. */
export const Password = text(MAX_PASSWORD_LENGTH).superRefine((value, context) => {
  if (codePoints(value) < MIN_PASSWORD_LENGTH) {
    context.addIssue(`must have at least ${MIN_PASSWORD_LENGTH} characters`)
  }
})

/** Why a password of sufficient length is too easy to guess; null if it is not. */
export function passwordFault(
  password: string,
  account: { email: string; name: string },
  common: ReadonlySet<string>,
): string | null {
  const lower = password.normalize('NFKC').toLowerCase()
  if (common.has(lower)) return 'must be another one: this is among the 10,000 most common passwords'
  const { email, name } = account
  const own = [email, email.slice(0, email.lastIndexOf('@')), name].map(squeeze)
  const isOwn = own.includes(squeeze(password)) || lower.includes(email.normalize('NFKC').toLowerCase())
  return isOwn ? 'must be another one: this is your name or your e-mail address' : null
}

/** Removes case, spaces and punctuation: `ada-lovelace` is as easy to guess as `Ada Lovelace`. */
function squeeze(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase()
  // A password of punctuation only would become empty; it is compared as it is.
  return lower.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '') || lower
}
