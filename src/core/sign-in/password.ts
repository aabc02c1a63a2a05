import { codePoints, text } from '../text.ts'

export const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 1_024

/** Any text may be tried as a password: what it may be was judged when it was set. */
export const TriedPassword = text(MAX_PASSWORD_LENGTH)

/** One that is being set; what the account itself forbids is judged by `passwordFault`. */
export const Password = text(MAX_PASSWORD_LENGTH).superRefine((value, context) => {
  if (codePoints(value) < MIN_PASSWORD_LENGTH) {
    context.addIssue(`must have at least ${MIN_PASSWORD_LENGTH} characters`)
  }
})

/** Why a password that is long enough is too easy to guess for an account; null when it is not. */
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

/** What is left of a text when it is written in one word: `Ada Lovelace` is no harder to guess as `ada-lovelace`. */
function squeeze(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase()
  // A password of signs alone is nobody's name.
  return lower.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '') || lower
}
