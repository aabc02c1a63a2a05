const SIGN_IN = '/sign-in'

/**
 * The path to open after signing in: always one of ours, so that a link cannot lead elsewhere, and never the sign-in
 * page, whose own target is taken instead.
 */
export function wayBack(href: string | undefined): string {
  let path = href ?? '/'
  while (path === SIGN_IN || path.startsWith(`${SIGN_IN}?`)) {
    path = new URLSearchParams(path.slice(SIGN_IN.length)).get('to') ?? '/'
  }
  return path.startsWith('/') && !/^\/[/\\]/.test(path) ? path : '/'
}

export type SignInSearch = { to?: string | undefined; ended?: number | undefined }

/** The address to return to, and when the session before ended, in milliseconds. */
export function readSignInSearch({ to, ended }: { to?: unknown; ended?: unknown }): SignInSearch {
  return {
    to: typeof to === 'string' ? wayBack(to) : undefined,
    ended: typeof ended === 'number' && Number.isSafeInteger(ended) && ended > 0 ? ended : undefined,
  }
}
