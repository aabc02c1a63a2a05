import type { Context, Hono } from 'hono'
import { admitPing, receivePing } from '../operations/pings.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import type { ClientAddress } from './client-address.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

/** What is kept of a ping's body; the rest is ignored, never refused. */
const KEPT_BODY_BYTES = 100_000
/** A longer body ends the connection after the answer; up to here it serves the next ping, too. */
const READ_BODY_BYTES = 16_000_000
const METHODS = ['GET', 'POST']

/** The pings of heartbeat jobs: no token header, the token in the path is the credential. */
export function addPings(app: Hono, services: Services, clientAddress: ClientAddress): void {
  app.use('/ping/*', async (context, next) => {
    const refusal = await refusalOf(services, () => admitPing(services, clientAddress(context)))
    if (refusal) return refusal
    return next()
  })
  for (const route of ['/ping/:token', '/ping/:token/:signal']) {
    app.on(METHODS, route, async (context: Context) => {
      const ping = {
        token: context.req.param('token') ?? '',
        signal: context.req.param('signal'),
        runId: context.req.query('rid'),
        readBody: () => readStart(context.req.raw),
      }
      const refusal = await refusalOf(services, () => receivePing(services, ping))
      return refusal ?? new Response(null, { status: 204 })
    })
    refuseOtherMethods(app, services, route, new Set(METHODS))
  }
}

/** Null when the work was done. */
async function refusalOf(services: Services, work: () => Promise<void>): Promise<Response | null> {
  try {
    await work()
    return null
  } catch (error) {
    return toResponse(refusalAnswer(services, error))
  }
}

async function readStart(request: Request): Promise<Buffer | null> {
  if (!mayHaveBody(request)) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    if (length < KEPT_BODY_BYTES) chunks.push(chunk)
    length += chunk.length
    if (length >= READ_BODY_BYTES) break
  }
  return length > 0 ? Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES) : null
}

/** Most pings have none; asking the request for its body would cost as much as the rest of its handling. */
function mayHaveBody({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0
}
