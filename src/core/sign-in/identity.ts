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

/** A request of a program to be let in fits in; so it does, sealed, into a cookie. */
const MAX_PATH_LENGTH = 1_500

/** Where to go after a sign-in: a path of this service, or its start page when it could be anything else. */
export function safeReturnPath(path: string | null | undefined): string {
  // Two slashes begin the name of another host, and browsers take a backslash for a slash.
  const isPath = path && path.length <= MAX_PATH_LENGTH && /^\/(?![/\\])[\x21-\x7e]*$/.test(path)
  return isPath && !path.includes('\\') ? path : '/'
}
