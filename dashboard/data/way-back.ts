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
