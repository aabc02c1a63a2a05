import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Hono } from 'hono'
import { acceptedEncoding } from '../core/accepted-encoding.ts'
import { DOCUMENT_HEADERS } from '../core/document-headers.ts'
import { Refusal } from '../core/errors.ts'
import type { Answer } from '../operations/implementation.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'

/** Responses that have all headers of JSON from the beginning. */
const complete = new WeakSet<Response>()

export function isComplete(response: Response): boolean {
  return complete.has(response)
}

/** Answers with JSON, which is neither sniffed nor kept unless the answer allows it. */
export function toResponse(answer: Answer): Response {
  return answer.body === undefined ? withoutBody(answer) : withJson(answer, JSON.stringify(answer.body))
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
