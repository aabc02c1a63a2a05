import type { Context, Hono } from 'hono'
import { toldAt } from '../core/monitors/monitor-types.ts'
import { receiveWord } from '../operations/monitors/pings.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { countWrongSecret, foundBySecret } from '../operations/sign-in/throttle.ts'
import type { ClientAddress } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const DOOR = toldAt('manual')

/** The endpoint at which programs switch manual monitors: the token in the path is the credential. */
export function addManual(app: Hono, services: Services, clientAddress: ClientAddress): void {
  const answer = async (work: () => Promise<unknown>): Promise<Response> => {
    try {
      await work()
      return new Response(null, { status: 204 })
    } catch (error) {
      return toResponse(refusalAnswer(services, error))
    }
  }
  app.use(`${DOOR}/*`, async (context, next) => {
    context.set('operation', 'ping')
    return next()
  })
  const route = `${DOOR}/:token/:state`
  // A link that a program previews must not switch anything: GET is none.
  app.post(route, (context: Context) =>
    answer(() =>
      receiveWord(services, {
        token: context.req.param('token') ?? '',
        state: context.req.param('state'),
        message: context.req.query('msg'),
        address: clientAddress(context),
      }),
    ),
  )
  app.use(route, async (context, next) => {
    try {
      await countWrongSecret(services, 'ping', clientAddress(context))
    } catch (error) {
      return toResponse(refusalAnswer(services, error))
    }
    return next()
  })
  refuseOtherMethods(app, services, route, new Set(['POST']))
  app.all(`${DOOR}/*`, (context) =>
    answer(() => foundBySecret(services, 'ping', clientAddress(context), null)),
  )
}
