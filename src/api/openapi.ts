import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { openApiDocument } from '../contract/openapi.ts'
import { API_PATH, baseUrl, type Services } from '../operations/services.ts'
import { refuseOtherMethods } from './respond.ts'

export const OPENAPI_PATH = `${API_PATH}/openapi.json`

/** Read by tools and by pages of anybody; it changes only with the version that serves it. */
const HEADERS = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
}

/** The API described for machines, at a fixed address and without a token. */
export function addOpenApi(app: Hono, services: Services): void {
  let made: { text: string; etag: string } | null = null
  app.get(OPENAPI_PATH, (context) => {
    context.set('operation', 'openApi')
    made ??= make(services)
    const headers = { ...HEADERS, etag: made.etag }
    const isKnown = context.req
      .header('if-none-match')
      ?.split(/\s*,\s*/)
      .includes(made.etag)
    return isKnown ? new Response(null, { status: 304, headers }) : new Response(made.text, { headers })
  })
  refuseOtherMethods(app, services, OPENAPI_PATH, new Set(['GET']))
}

/** Made when it is first asked for: no start has to wait for it. */
function make(services: Services) {
  const { siteUrl, docsUrl, apiVersion: version } = services
  const text = JSON.stringify(openApiDocument({ siteUrl, docsUrl, baseUrl: baseUrl(services), version }))
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}
