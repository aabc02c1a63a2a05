import { type Context, Hono } from 'hono'
import { allOperations, type OperationId } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import { Refusal } from '../core/errors.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { run } from '../operations/run.ts'
import type { Services } from '../operations/services.ts'
import { actorIn, authenticateSession } from '../operations/sign-in/sessions.ts'
import { refuseForeignOrigins } from './own-origin.ts'
import { readRequest, routeOf } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const TEAM_PATH = '/app/teams/:team'

/**
 * Every operation, for the dashboard: by cookie, in the team that the path names, so that a page keeps showing its team
 * when another tab switches to a different one.
 */
export function createDashboardApi(services: Services): Hono {
  const app = new Hono({ strict: false })
  const methods = new Map<string, Set<string>>()
  app.use('/app/*', refuseForeignOrigins(services))
  for (const id of Object.keys(allOperations) as OperationId[]) {
    const { method, path } = allOperations[id]
    const route = TEAM_PATH + routeOf(path)
    app.on(method, route, async (context) => {
      context.set('operation', id)
      return toResponse(await answer(services, id, context))
    })
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  for (const [route, allowed] of methods) refuseOtherMethods(app, services, route, allowed)
  return app
}

async function answer(services: Services, id: OperationId, context: Context) {
  try {
    const session = await authenticateSession(services, context.req.header('cookie'))
    if (!session) throw new Refusal('unauthorized', { detail: 'Sign in first.' })
    const actor = await actorIn(services, session, context.req.param('team') ?? '')
    const { maxBodyBytes }: Operation = allOperations[id]
    const { headers, ...rest } = await run(services, id, { actor, ...readRequest(context, maxBodyBytes) })
    return { ...rest, headers: { 'cache-control': 'no-store', ...headers } }
  } catch (error) {
    return refusalAnswer(services, error, { 'cache-control': 'no-store' })
  }
}
