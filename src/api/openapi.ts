import type { Hono } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { openApiDocument } from '../contract/openapi/document.ts'
import { API_PATH, baseUrl, type Services } from '../operations/services.ts'
import { refuseOtherMethods } from './respond.ts'

const ROUTE = `${API_PATH}/openapi.json`

/** Read by tools and by pages of any site; changes only with the service's version and address. */
const HEADERS = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
}

/** The OpenAPI document, at a fixed address and without a token. */
export function addOpenApi(app: Hono, services: Services): void {
  // Built on first use, so that it does not delay the start, and anew for another address.
  let built: { siteUrl: string; document: string } | null = null
  app.use(ROUTE, etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...Object.keys(HEADERS)] }))
  app.get(ROUTE, (context) => {
    context.set('operation', 'openApi')
    const { siteUrl } = services
    if (built?.siteUrl !== siteUrl) built = { siteUrl, document: write(services) }
    return new Response(built.document, { headers: HEADERS })
  })
  refuseOtherMethods(app, services, ROUTE, new Set(['GET']))
}

function write(services: Services): string {
  const { siteUrl, docsUrl, apiVersion: version } = services
  return JSON.stringify(openApiDocument({ siteUrl, docsUrl, baseUrl: baseUrl(services), version }))
}
