import type { Hono } from 'hono'
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
export function toResponse({ status, body, headers, cookies = [] }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers: withCookies(headers, cookies) })
  const all = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  }
  const response = new Response(JSON.stringify(body), { status, headers: withCookies(all, cookies) })
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
