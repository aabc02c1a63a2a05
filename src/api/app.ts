import { Hono } from 'hono'
import { contract, type PublicOperationId } from '../contract/contract.ts'
import { run } from '../operations/run.ts'
import { API_PATH, type Services } from '../operations/services.ts'
import { addBadges } from './badges.ts'
import { addMaintenance } from './maintenance.ts'
import { addManual } from './manual.ts'
import { addOpenApi } from './openapi.ts'
import { addPings } from './pings.ts'
import { addPushes } from './pushes.ts'
import type { ClientAddress } from './request.ts'
import { readRequest, routeOf } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'
import { addServerInstall } from './server-install.ts'
import { addServerReports } from './server-reports.ts'
import { addTeamMetrics } from './team-metrics.ts'

/** The JSON API, with routes from the contract, and what is not JSON: pings, badges, a team's metrics. */
export function createApi(services: Services, clientAddress: ClientAddress): Hono {
  const app = new Hono({ strict: false })
  const methods = new Map<string, Set<string>>()
  for (const id of Object.keys(contract) as PublicOperationId[]) {
    const { method, path } = contract[id]
    const route = API_PATH + routeOf(path)
    app.on(method, route, async (context) => {
      context.set('operation', id)
      const authorization = context.req.header('authorization')
      return toResponse(await run(services, id, { authorization, ...readRequest(context) }))
    })
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  for (const [route, allowed] of methods) refuseOtherMethods(app, services, route, allowed)
  addOpenApi(app, services)
  addTeamMetrics(app, services)
  addPings(app, services, clientAddress)
  addManual(app, services, clientAddress)
  addPushes(app, services, clientAddress)
  addBadges(app, services, clientAddress)
  addMaintenance(app, services, clientAddress)
  addServerInstall(app, services, clientAddress)
  addServerReports(app, services, clientAddress)
  return app
}
