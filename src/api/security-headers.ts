import type { Context, MiddlewareHandler } from 'hono'
import { DOCUMENT_HEADERS } from '../core/document-headers.ts'
import type { Services } from '../operations/services.ts'
import { isComplete } from './respond.ts'

/** One year, for this host only: other hosts of the domain are not ours to configure. */
export const HSTS = 'max-age=31536000'

const NO_CONTENT = 204
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/
const PAGE_TYPE = /^text\/html\b/

/**
 * Adds headers to every response: TLS only, if the service has it (`siteUrl`); no caching of JSON unless a handler allows
 * it; and those of its kind of document.
 */
export function addSecurityHeaders(services: Pick<Services, 'siteUrl'>): MiddlewareHandler {
  return async (context, next) => {
    if (services.siteUrl.startsWith('https:'))
      outgoingOf(context).setHeader('strict-transport-security', HSTS)
    await next()
    // To read the headers of a response costs as much as to route its request.
    if (context.res.status === NO_CONTENT || isComplete(context.res)) return
    const { headers } = context.res
    const type = headers.get('content-type')
    if (type === null) return
    if (JSON_TYPE.test(type) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
    const kind = PAGE_TYPE.test(type) ? 'page' : 'own'
    for (const [name, value] of Object.entries(DOCUMENT_HEADERS[kind])) {
      // Badges say themselves that they are for all sites.
      if (!headers.has(name)) headers.set(name, value)
    }
  }
}

/** Node's own response, which every answer goes out by. */
function outgoingOf(context: Context): { setHeader(name: string, value: string): void } {
  return (context.env as { outgoing: { setHeader(name: string, value: string): void } }).outgoing
}
