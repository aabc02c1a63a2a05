/** A person as an identity provider (OpenID Connect) describes them. */
export type Identity = {
  issuer: string
  /** Identifies the person at the issuer permanently. */
  subject: string
  email: string | null
  /** Whether the provider vouches for the address. */
  isEmailVerified: boolean
  name: string | null
}

/** Room for an OAuth authorization request, which must also fit, sealed, into a cookie. */
const MAX_PATH_LENGTH = 1_500

/** The path to open after sign-in: a path of this service, or `/` if it might be anything else. */
export function safeReturnPath(path: string | null | undefined): string {
  // Two slashes start a host name, and browsers treat a backslash as a slash.
  const isPath = path && path.length <= MAX_PATH_LENGTH && /^\/(?![/\\])[\x21-\x7e]*$/.test(path)
  return isPath && !path.includes('\\') ? path : '/'
}
