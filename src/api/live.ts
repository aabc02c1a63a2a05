import { type Context, Hono } from 'hono'
import { clientNetwork } from '../core/client-address.ts'
import { Refusal } from '../core/errors.ts'
import { said } from '../core/language/said.ts'
import type { LiveStreams, Watcher } from '../operations/live-streams.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { actorIn, requireSession } from '../operations/sign-in/sessions.ts'
import { isFromOwnPages } from './own-origin.ts'
import type { ClientAddress } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const PATH = '/app/teams/:team/events'
/** A client with more bytes waiting than this is cut off. */
const MAX_WAITING_BYTES = 64 * 1_024
/** How long a stream that has ended may take to send its last bytes. */
const LAST_BYTES_MS = 5_000

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // The end of the stream ends the connection, so that none outlives the service.
  connection: 'close',
  // Keeps nginx from buffering events.
  'x-accel-buffering': 'no',
}

/**
 * The live stream of a team (server-sent events), for the dashboard: by cookie, as long as session, membership and role
 * last. It says which data to load again (core/live-event.ts). `cutOff` closes a request's connection.
 */
export function createLiveApi(
  services: Services,
  live: LiveStreams,
  clientAddress: ClientAddress,
  cutOff: (context: Context) => void,
): Hono {
  const app = new Hono({ strict: false })
  app.get(PATH, async (context) => {
    context.set('operation', 'live')
    try {
      const client = clientNetwork(clientAddress(context))
      const watcher = { ...(await authenticateWatcher(services, context)), client }
      const isHead = context.req.method === 'HEAD'
      const body = isHead ? null : openStream(live, watcher, () => cutOff(context))
      return new Response(body, { headers: HEADERS })
    } catch (error) {
      return toResponse(refusalAnswer(services, error, { 'cache-control': 'no-store' }))
    }
  })
  refuseOtherMethods(app, services, PATH, new Set(['GET']))
  return app
}

/** Refuses other sites' pages even for reading: they could keep our streams open. */
async function authenticateWatcher(services: Services, { req }: Context): Promise<Omit<Watcher, 'client'>> {
  if (!isFromOwnPages(services, req)) {
    throw new Refusal('forbidden', { detail: said('The request comes from a page of another site.') })
  }
  const session = await requireSession(services, req.header('cookie'))
  const { userId, teamId, role } = await actorIn(services, session, req.param('team') ?? '')
  return { sessionId: session.sessionId, userId, teamId, role }
}

function openStream(live: LiveStreams, watcher: Watcher, cutOff: () => void): ReadableStream<Uint8Array> {
  let leave = () => {}
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      leave = live.open(watcher, {
        write(bytes) {
          controller.enqueue(bytes)
          if ((controller.desiredSize ?? 0) >= 0) return
          leave()
          cutOff()
        },
        end() {
          controller.close()
          setTimeout(cutOff, LAST_BYTES_MS).unref()
        },
      })
    },
    cancel: () => leave(),
  }
  return new ReadableStream(source, {
    highWaterMark: MAX_WAITING_BYTES,
    size: (bytes) => bytes?.byteLength ?? 0,
  })
}
