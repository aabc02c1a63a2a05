/**
 * Causes that say of an https URL that nothing there speaks TLS. A certificate that is wrong is none: what has one is meant
 * to be reached by https.
 */
const NO_TLS_THERE = [
  /^TLS handshake failed: (the answer is not TLS|the connection was closed|connection reset by )/,
  /^connection refused by /,
  /^connection reset by /,
  /^connection to .* timed out$/,
  /^no answer within .*\((connecting|TLS handshake)\)$/,
]
const TLS_THERE = /^no HTTP here: .* speaks TLS \(https\)$/

/**
 * The same URL with http in place of https, or the other way round, where the cause of a failed check says that this may be
 * what was meant; else null.
 */
export function withOtherScheme(url: string, cause: string): string | null {
  if (/^https:/i.test(url) && NO_TLS_THERE.some((said) => said.test(cause)))
    return url.replace(/^https/i, 'http')
  if (/^http:/i.test(url) && TLS_THERE.test(cause)) return url.replace(/^http/i, 'https')
  return null
}
