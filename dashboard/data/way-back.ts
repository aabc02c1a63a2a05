const SIGN_IN = '/sign-in'

/**
 * Where somebody goes on to who signs in: a path of our own, since an address must not lead elsewhere after a sign-in,
 * and never the sign-in page, whose own way back is meant then.
 */
export function wayBack(href: string | undefined): string {
  let path = href ?? '/'
  while (path === SIGN_IN || path.startsWith(`${SIGN_IN}?`)) {
    path = new URLSearchParams(path.slice(SIGN_IN.length)).get('to') ?? '/'
  }
  return path.startsWith('/') && !/^\/[/\\]/.test(path) ? path : '/'
}
