import type { Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import type { Answer } from '../operations/implementation.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'

export function toResponse({ status, body, headers, cookies = [] }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers: withCookies(headers, cookies) })
  return new Response(JSON.stringify(body), {
    status,
    headers: withCookies({ 'content-type': 'application/json', ...headers }, cookies),
  })
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
