import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { Refusal } from '../core/errors.ts'
import { inWords } from '../core/language/said.ts'
import { MAX_FORM_BYTES } from '../core/request-limits.ts'
import { OauthRefusal, RESOURCE_PATHS } from '../core/sign-in/oauth.ts'
import { OAUTH_PATHS, resourceMetadata, serverMetadata } from '../core/sign-in/oauth-metadata.ts'
import type { Services } from '../operations/services.ts'
import { registerClient } from '../operations/sign-in/oauth-clients.ts'
import { issueOauthToken, revokeOauthToken } from '../operations/sign-in/oauth-tokens.ts'
import type { ClientAddress } from './request.ts'
import { mediaTypeOf, readJson } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const NOT_KEPT = { 'cache-control': 'no-store' }
const FRESH = { 'cache-control': 'public, max-age=300' }

/** The OAuth endpoints for programs: metadata, registration, tokens and revocation. */
export function createOauthApi(services: Services, clientAddress: ClientAddress): Hono {
  const app = new Hono({ strict: false })

  // No cookie is read here, so programs in browsers may call from any page.
  const allows = cors({ origin: '*', allowMethods: ['GET', 'POST'] })
  const limit = bodyLimit({
    maxSize: MAX_FORM_BYTES,
    onError: () =>
      refusal(
        services,
        new OauthRefusal('invalid_request', inWords(`A body may have at most ${MAX_FORM_BYTES} bytes.`)),
      ),
  })

  const document = (path: string, write: (siteUrl: string, docsUrl: string) => object) => {
    app.use(path, allows)
    app.get(path, () =>
      toResponse({ status: 200, body: write(services.siteUrl, services.docsUrl), headers: FRESH }),
    )
    refuseOtherMethods(app, services, path, new Set(['GET']))
  }
  const aboutMcp = (...urls: [string, string]) => resourceMetadata(...urls, 'mcp')
  document(OAUTH_PATHS.server, serverMetadata)
  document(OAUTH_PATHS.resource + RESOURCE_PATHS.mcp, aboutMcp)
  document(OAUTH_PATHS.resource + RESOURCE_PATHS.api, (...urls) => resourceMetadata(...urls, 'api'))
  // MCP clients also look here when they have no other hint.
  document(OAUTH_PATHS.resource, aboutMcp)

  const post = (path: string, status: number, work: (context: Context) => Promise<object | undefined>) => {
    app.use(path, allows)
    app.post(path, limit, async (context) => {
      context.set('operation', 'oauth')
      try {
        return toResponse({ status, body: await work(context), headers: NOT_KEPT })
      } catch (error) {
        return refusal(services, error)
      }
    })
    refuseOtherMethods(app, services, path, new Set(['POST']))
  }
  post(OAUTH_PATHS.register, 201, async (context) =>
    registerClient(services, await readMetadata(context), clientAddress(context)),
  )
  post(OAUTH_PATHS.token, 200, async (context) =>
    issueOauthToken(services, await readForm(context), clientAddress(context)),
  )
  post(OAUTH_PATHS.revoke, 200, async (context) => {
    await revokeOauthToken(services, await readForm(context), clientAddress(context))
    return undefined
  })
  return app
}

async function readMetadata(context: Context): Promise<unknown> {
  try {
    return await readJson(context.req.raw)
  } catch (error) {
    if (error instanceof Refusal) throw new OauthRefusal('invalid_client_metadata', inWords(error.message))
    throw error
  }
}

async function readForm(context: Context): Promise<URLSearchParams> {
  const type = mediaTypeOf(context.req.raw)
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OauthRefusal(
      'invalid_request',
      inWords(
        `Send the body as Content-Type: application/x-www-form-urlencoded, not ${type ?? 'without a type'}.`,
      ),
    )
  }
  return new URLSearchParams(await context.req.text())
}

/** Formats a refusal as in OAuth. Any other error is a bug: it is reported to us, and the program gets no details. */
function refusal(services: Services, error: unknown): Response {
  if (error instanceof OauthRefusal) {
    const body = { error: error.code, error_description: error.message }
    return toResponse({ status: error.status, body, headers: NOT_KEPT })
  }
  if (error instanceof Refusal && error.code === 'tooManyRequests') {
    const body = { error: 'temporarily_unavailable', error_description: error.message }
    return toResponse({ status: 429, body, headers: { ...NOT_KEPT, ...error.headers } })
  }
  services.onBug(error)
  const body = { error: 'server_error', error_description: 'The service failed: try again.' }
  return toResponse({ status: 500, body, headers: NOT_KEPT })
}
