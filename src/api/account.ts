import { type Context, Hono } from 'hono'
import { type AccountOperationId, accountContract } from '../contract/accounts.ts'
import { runForAccount } from '../operations/accounts/accounts.ts'
import type { Services } from '../operations/services.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import { refuseForeignOrigins } from './own-origin.ts'
import { readRequest, routeOf } from './request.ts'
import { refuseOtherMethods, toResponse, withSentences } from './respond.ts'

/** Signing in and account settings for the dashboard: by cookie, from our own origin. */
export function createAccountApi(services: Services, visitorOf: (context: Context) => Visitor): Hono {
  const app = new Hono({ strict: false })
  const methods = new Map<string, Set<string>>()
  app.use('/auth/*', refuseForeignOrigins(services))
  for (const id of Object.keys(accountContract) as AccountOperationId[]) {
    const { method, path } = accountContract[id]
    const route = routeOf(path)
    app.on(method, route, async (context) => {
      context.set('operation', id)
      const request = {
        cookie: context.req.header('cookie'),
        visitor: visitorOf(context),
        id: context.req.param('id'),
        ...readRequest(context),
      }
      return toResponse(withSentences(await runForAccount(services, id, request)))
    })
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  for (const [route, allowed] of methods) refuseOtherMethods(app, services, route, allowed)
  return app
}
