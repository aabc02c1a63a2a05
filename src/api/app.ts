import { type Context, Hono } from 'hono'
import { contract, type OperationId } from '../contract/contract.ts'
import { Refusal } from '../core/errors.ts'
import { type Answer, refusalAnswer, run } from '../operations/run.ts'
import { API_PATH, type Services } from '../operations/services.ts'
import { readJson } from './body.ts'
import type { ClientAddress } from './client-address.ts'
import { addPings } from './pings.ts'

/** The JSON API and the pings. Routes come from the contract; a path that is not in it does not exist. */
export function createApi(services: Services, clientAddress: ClientAddress): Hono {
  const app = new Hono({ strict: false })
  const methods = new Map<string, Set<string>>()
  for (const id of Object.keys(contract) as OperationId[]) {
    const { method, path } = contract[id]
    const route = API_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(method, route, async (context) => toResponse(await run(services, id, requestOf(context))))
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  for (const [route, allowed] of methods) refuseOtherMethods(app, services, route, allowed)
  addPings(app, services, clientAddress)
  return app
}

/** 405 with `Allow` for a path that exists; HEAD works wherever GET does. */
export function refuseOtherMethods(app: Hono, services: Services, route: string, allowed: Set<string>): void {
  const allow = [...allowed].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  app.all(route, () => toResponse(refusalAnswer(services, new Refusal('methodNotAllowed', {}, { allow }))))
}

export function toResponse({ status, body, headers }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

function requestOf(context: Context) {
  return {
    authorization: context.req.header('authorization'),
    params: context.req.param() as Record<string, string>,
    query: queryOf(context.req.url),
    readBody: () => readJson(context.req.raw),
  }
}

/** A repeated parameter takes the last value; an empty one counts as absent. */
function queryOf(url: string): Record<string, string> {
  const pairs = new Map(new URL(url).searchParams)
  return Object.fromEntries([...pairs].filter(([, value]) => value !== ''))
}
