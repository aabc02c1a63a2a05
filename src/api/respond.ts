import type { Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import type { Answer } from '../operations/implementation.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'

export function toResponse({ status, body, headers }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** 405 with `Allow` for a path that exists; HEAD works wherever GET does. */
export function refuseOtherMethods(app: Hono, services: Services, route: string, allowed: Set<string>): void {
  const allow = [...allowed].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  app.all(route, () => toResponse(refusalAnswer(services, new Refusal('methodNotAllowed', {}, { allow }))))
}
