import { type Context, Hono } from 'hono'
import { contract, type OperationId } from '../contract/contract.ts'
import { run } from '../operations/run.ts'
import { API_PATH, type Services } from '../operations/services.ts'
import { readJson } from './body.ts'
import type { ClientAddress } from './client-address.ts'
import { addPings } from './pings.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

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
