import { type Context, Hono } from 'hono'
import { accepts, hasWildcard } from '../core/accepted-type.ts'
import { Refusal } from '../core/errors.ts'
import { inWords, said } from '../core/language/said.ts'
import { RESOURCE_PATHS } from '../core/sign-in/oauth.ts'
import { isOwnOrigin } from '../core/sign-in/session.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { findHolder } from '../operations/sign-in/authenticate.ts'
import { throttle } from '../operations/sign-in/throttle.ts'
import { readJson } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

const JSON_TYPE = 'application/json'
const EVENTS_TYPE = 'text/event-stream'
/** Answered by a stream that never ends, whatever the client takes. */
const LISTEN = 'subscriptions/listen'

/** The endpoint for AI clients (Model Context Protocol, Streamable HTTP): one message per POST, no sessions. */
export function createMcpApi(services: Services): Hono {
  const app = new Hono({ strict: false })
  app.post(RESOURCE_PATHS.mcp, async (context) => {
    context.set('operation', 'mcp')
    try {
      return await answer(services, context)
    } catch (error) {
      return toResponse(refusalAnswer(services, error))
    }
  })
  refuseOtherMethods(app, services, RESOURCE_PATHS.mcp, new Set(['POST']))
  return app
}

async function answer(services: Services, { req }: Context): Promise<Response> {
  // Strict: a name that another party's DNS points here is not ours.
  if (!isOwnOrigin(req.header('origin'), undefined, services.siteUrl)) {
    throw new Refusal('forbidden', { detail: said('The request comes from a page of another site.') })
  }
  const authorization = req.header('authorization') ?? ''
  const { role, userId } = await findHolder(services, authorization, 'mcp')
  const message = await readMessage(req.raw)
  // Tool calls have the limit of all requests, and a result also when they are refused.
  if (!isToolCall(message)) await throttle(services.limits.perMcpUser, userId)
  if (message instanceof Response) return message
  if (role === null && !isToolCall(message)) {
    throw new Refusal('forbidden', {
      detail: inWords('Who made this token is no longer a member of its team.'),
    })
  }
  // Loaded by the first message: most services never get one, and every start would wait for it.
  const { answerMessage } = await import('../mcp/server.ts')
  const accept = req.header('accept')
  if (!isLenient(accept)) return answerMessage(services, { authorization, role }, req.raw, message)
  const answer = await answerMessage(services, { authorization, role }, namingBothTypes(req.raw), message)
  return accepts(accept, EVENTS_TYPE) || methodOf(message) === LISTEN ? answer : withoutEvents(answer)
}

/**
 * Whether the client accepts JSON by a wildcard or by saying nothing (RFC 9110, section 12.5.1). The protocol wants both
 * types named, and its SDK compares the text of the header, but public clients send such headers.
 */
function isLenient(accept: string | undefined): boolean {
  return hasWildcard(accept) && accepts(accept, JSON_TYPE)
}

function namingBothTypes(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', `${JSON_TYPE}, ${EVENTS_TYPE}`)
  // The message has been read: the SDK wants only the headers.
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

/** The message of an answer's one event as JSON, for clients that take no events. */
async function withoutEvents(answer: Response): Promise<Response> {
  if (answer.headers.get('content-type') !== EVENTS_TYPE) return answer
  const data = /^data: (.*)$/m.exec(await answer.text())?.[1] ?? ''
  const headers = new Headers(answer.headers)
  headers.set('content-type', JSON_TYPE)
  return new Response(data, { status: answer.status, headers })
}

/**
 * Reads the message, or returns a protocol error. A body that is too large or of another type is refused as everywhere.
 */
async function readMessage(request: Request): Promise<unknown> {
  try {
    const message = await readJson(request)
    if (!Array.isArray(message)) return message
    return protocolError(INVALID_REQUEST, 'Batches are not supported: send one message per request.')
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validationFailed') throw error
    return protocolError(PARSE_ERROR, `Parse error: ${error.message}`)
  }
}

function protocolError(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 })
}

/** A tool call always gets a result, even when refused. */
function isToolCall(message: unknown): boolean {
  return methodOf(message) === 'tools/call'
}

function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null)?.method
}
