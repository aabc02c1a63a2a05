import type { Context, Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import { pushRefusal, readPush } from '../core/monitors/heartbeat.ts'
import { receivePush } from '../operations/monitors/pings.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { readStart } from './ping-body.ts'
import type { ClientAddress } from './request.ts'
import { readRequest } from './request.ts'
import { toResponse } from './respond.ts'

/** The endpoint of Uptime Kuma's push monitors, for existing jobs: accepts any method and responds the same way. */
export function addPushes(app: Hono, services: Services, clientAddress: ClientAddress): void {
  app.all('/api/push/:token', async (context) => {
    context.set('operation', 'push')
    try {
      return await receive(services, context, clientAddress(context))
    } catch (error) {
      const { status, headers } = refusalAnswer(services, error)
      const body = { ok: false, msg: messageOf(error) }
      return toResponse({ status, body, headers: { ...headers, 'content-type': 'application/json' } })
    }
  })
}

async function receive(services: Services, context: Context, address: string): Promise<Response> {
  const { params, query } = readRequest(context)
  const refusal = pushRefusal(query)
  if (refusal !== null) return answerOf(400, { ok: false, msg: refusal })
  const sender = { token: params.token ?? '', address }
  await receivePush(services, sender, readPush(query), () => readStart(context.req.raw))
  return answerOf(200, { ok: true })
}

function answerOf(status: number, body: object): Response {
  return toResponse({ status, body, headers: {} })
}

function messageOf(error: unknown): string {
  if (!(error instanceof Refusal)) return 'Internal Server Error'
  return error.code === 'notFound' ? 'Monitor not found or not active.' : error.message
}
