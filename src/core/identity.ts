/** Who somebody is at a provider of identities (OpenID Connect). */
export type Identity = {
  issuer: string
  /** Names the person at the issuer, for ever. */
  subject: string
  email: string | null
  /** Whether the provider says that the address is theirs. */
  isEmailVerified: boolean
  name: string | null
}

/**
 * Whether who owns an account's address may have the account. Where everybody makes accounts, one that nobody has
 * confirmed may have been made with another's address, by somebody who waits there for its owner.
 */
export function mayClaim(account: { emailVerifiedAt: Date | null; signedUpAt: Date | null }): boolean {
  return account.signedUpAt === null || account.emailVerifiedAt !== null
}

/** A request of a program to be let in fits in; so it does, sealed, into a cookie. */
const LONGEST_PATH = 1_500

/** Where to go after a sign-in: a path of this service, or its start page when it could be anything else. */
export function safeReturnPath(path: string | null | undefined): string {
  // Two slashes begin the name of another host, and browsers take a backslash for a slash.
  const isPath = path && path.length <= LONGEST_PATH && /^\/(?![/\\])[\x21-\x7e]*$/.test(path)
  return isPath && !path.includes('\\') ? path : '/'
}
