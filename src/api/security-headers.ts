import type { Context, MiddlewareHandler } from 'hono'
import { isComplete } from './respond.ts'

/** One year, for this host only: other hosts of the domain are not ours to configure. */
export const HSTS = 'max-age=31536000'

/**
 * Disables browser features that our pages do not use; copying to the clipboard, passkeys, and a wallboard that fills the
 * screen and keeps it on work on our own pages only.
 */
const PERMISSIONS = [
  ...['accelerometer', 'autoplay', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'idle-detection', 'magnetometer', 'microphone', 'midi'],
  ...['payment', 'picture-in-picture', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .concat(
    [
      'clipboard-write',
      'fullscreen',
      'screen-wake-lock',
      'publickey-credentials-create',
      'publickey-credentials-get',
    ].map((feature) => `${feature}=(self)`),
  )
  .join(', ')

const NO_CONTENT = 204
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/
const PAGE_TYPE = /^text\/html\b/

/**
 * Adds headers to every response: TLS only, if the service has it (`siteUrl`); no sniffing of types; no caching of JSON
 * unless a handler allows it; and restrictions on pages.
 */
export function addSecurityHeaders(siteUrl: string): MiddlewareHandler {
  const isSecure = siteUrl.startsWith('https:')
  return async (context, next) => {
    if (isSecure) outgoingOf(context).setHeader('strict-transport-security', HSTS)
    await next()
    // To read the headers of a response costs as much as to route its request.
    if (context.res.status === NO_CONTENT || isComplete(context.res)) return
    const { headers } = context.res
    const type = headers.get('content-type')
    if (type === null) return
    headers.set('x-content-type-options', 'nosniff')
    if (JSON_TYPE.test(type) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (!PAGE_TYPE.test(type)) return
    headers.set('permissions-policy', PERMISSIONS)
    headers.set('cross-origin-opener-policy', 'same-origin')
  }
}

/** Node's own response, which every answer goes out by. */
function outgoingOf(context: Context): { setHeader(name: string, value: string): void } {
  return (context.env as { outgoing: { setHeader(name: string, value: string): void } }).outgoing
}
