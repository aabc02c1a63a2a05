import type { MiddlewareHandler } from 'hono'

/** A year, for this host alone: what other hosts of the domain do is not ours to say. */
const HSTS = 'max-age=31536000'

/** What no page of ours uses; copying to the clipboard and passkeys are for our own pages. */
const PERMISSIONS = [
  ...['accelerometer', 'autoplay', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media'],
  ...[
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'magnetometer',
    'microphone',
    'midi',
  ],
  ...['payment', 'picture-in-picture', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .concat(
    ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'].map(
      (feature) => `${feature}=(self)`,
    ),
  )
  .join(', ')

const NO_CONTENT = 204
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/
const PAGE_TYPE = /^text\/html\b/

/**
 * What every answer says besides, whoever gave it: to come by TLS only, where the service has it (`siteUrl`); that its
 * type is what it says; that JSON is kept by nobody, unless it says for how long; and what pages may not do.
 */
export function addSecurityHeaders(siteUrl: string): MiddlewareHandler {
  const isSecure = siteUrl.startsWith('https:')
  return async (context, next) => {
    await next()
    // Pings are many, and their answers have nothing in them.
    if (!isSecure && context.res.status === NO_CONTENT) return
    const { headers } = context.res
    if (isSecure) headers.set('strict-transport-security', HSTS)
    const type = headers.get('content-type')
    if (type === null) return
    headers.set('x-content-type-options', 'nosniff')
    if (JSON_TYPE.test(type) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (!PAGE_TYPE.test(type)) return
    headers.set('permissions-policy', PERMISSIONS)
    headers.set('cross-origin-opener-policy', 'same-origin')
  }
}
