import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { acceptedEncoding } from '../core/accepted-encoding.ts'
import { DOCUMENT_HEADERS } from '../core/document-headers.ts'
import { Refusal } from '../core/errors.ts'
import type { Answer } from '../operations/implementation.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'

/** One year, for this host only: other hosts of the domain are not ours to configure. */
export const HSTS = 'max-age=31536000'

const NO_CONTENT = 204
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/
const PAGE_TYPE = /^text\/html\b/

/** Responses that have all their headers from the beginning. */
const complete = new WeakSet<Response>()

/** Answers with JSON, which is neither sniffed nor kept unless the answer allows it. */
export function toResponse(answer: Answer): Response {
  return answer.body === undefined ? withoutBody(answer) : withJson(answer, JSON.stringify(answer.body))
}

/** Answers a program with plain text. */
export function toText(text: string): Response {
  const headers = { 'content-type': 'text/plain; charset=UTF-8', ...DOCUMENT_HEADERS.own }
  const response = new Response(text, { headers })
  complete.add(response)
  return response
}

/** The dashboard says refusals in the language of its reader: their sentences go with them as data. */
export function withSentences(answer: Answer): Answer {
  return answer.refusal ? { ...answer, body: { ...(answer.body as object), ...answer.refusal } } : answer
}

/** Lists of thousands are compressed, at the least effort: a tenth of the bytes for some milliseconds. */
const MIN_COMPRESSED_LENGTH = 65_536

/** The same, compressed if it is long and `accepted`, the header of the request, allows it. */
export async function toCompressedResponse(answer: Answer, accepted: string | undefined): Promise<Response> {
  if (answer.body === undefined) return withoutBody(answer)
  const json = JSON.stringify(answer.body)
  const encoding = json.length >= MIN_COMPRESSED_LENGTH ? acceptedEncoding(accepted) : null
  if (encoding === null) return withJson(answer, json)
  const packed = await (encoding === 'br' ? brotli(json, FAST_BROTLI) : zip(json, FAST_GZIP))
  const headers = { ...answer.headers, 'content-encoding': encoding, vary: 'accept-encoding' }
  // The bytes have a buffer of their own.
  return withJson({ ...answer, headers }, packed as Buffer<ArrayBuffer>)
}

const brotli = promisify<string, object, Buffer>(brotliCompress)
const zip = promisify<string, object, Buffer>(gzip)
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const FAST_GZIP = { level: constants.Z_BEST_SPEED }

function withoutBody({ status, headers, cookies = [] }: Answer): Response {
  return new Response(null, { status, headers: withCookies(headers, cookies) })
}

function withJson({ status, headers, cookies = [] }: Answer, body: string | Buffer<ArrayBuffer>): Response {
  const all = {
    'content-type': 'application/json',
    ...DOCUMENT_HEADERS.own,
    'cache-control': 'no-store',
    ...headers,
  }
  const response = new Response(body, { status, headers: withCookies(all, cookies) })
  complete.add(response)
  return response
}

function withCookies(headers: Record<string, string>, cookies: string[]): Headers | Record<string, string> {
  if (cookies.length === 0) return headers
  const all = new Headers(headers)
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return all
}

/** Responds 405 with `Allow` on a path that exists; HEAD works wherever GET does. */
export function refuseOtherMethods(app: Hono, services: Services, route: string, allowed: Set<string>): void {
  const allow = [...allowed].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  app.all(route, () => toResponse(refusalAnswer(services, new Refusal('methodNotAllowed', {}, { allow }))))
}

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
    if (context.res.status === NO_CONTENT || complete.has(context.res)) return
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
