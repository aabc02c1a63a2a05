import type { Context, Hono } from 'hono'
import { KEPT_BODY_BYTES, type PING_PATHS } from '../core/monitors/ping.ts'
import { receivePing } from '../operations/monitors/pings.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { countWrongSecret, foundBySecret } from '../operations/sign-in/throttle.ts'
import { readStart } from './ping-body.ts'
import type { ClientAddress } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const METHODS = ['GET', 'POST']

/**
 * The ping endpoints: the token in the path is the credential. Some Healthchecks clients count only its exact response
 * as success, so they have a path of their own.
 */
const DOORS = {
  '/ping': () => new Response(null, { status: 204 }),
  '/hc': () => new Response('OK', { headers: { 'ping-body-limit': String(KEPT_BODY_BYTES) } }),
} as const satisfies Record<(typeof PING_PATHS)[number], () => Response>

export function addPings(app: Hono, services: Services, clientAddress: ClientAddress): void {
  for (const [door, respond] of Object.entries(DOORS)) {
    app.use(`${door}/*`, async (context, next) => {
      context.set('operation', 'ping')
      return next()
    })
    for (const route of [`${door}/:token`, `${door}/:token/:signal`]) {
      app.on(METHODS, route, async (context: Context) => {
        const ping = {
          token: context.req.param('token') ?? '',
          address: clientAddress(context),
          signal: context.req.param('signal'),
          runId: context.req.query('rid'),
          readBody: () => readStart(context.req.raw),
        }
        return (await refusalOf(services, () => receivePing(services, ping))) ?? respond()
      })
      app.use(route, async (context, next) => {
        const count = () => countWrongSecret(services, 'ping', clientAddress(context))
        return (await refusalOf(services, count)) ?? next()
      })
      refuseOtherMethods(app, services, route, new Set(METHODS))
    }
    app.all(`${door}/*`, async (context) => {
      try {
        return await foundBySecret<Response>(services, 'ping', clientAddress(context), null)
      } catch (error) {
        return toResponse(refusalAnswer(services, error))
      }
    })
  }
}

/** Null on success. */
async function refusalOf(services: Services, work: () => Promise<void>): Promise<Response | null> {
  try {
    await work()
    return null
  } catch (error) {
    return toResponse(refusalAnswer(services, error))
  }
}
