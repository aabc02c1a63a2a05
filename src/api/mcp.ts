import { type Context, Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import { RESOURCE_PATHS } from '../core/sign-in/oauth.ts'
import { isOwnOrigin } from '../core/sign-in/session.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { findHolder } from '../operations/sign-in/authenticate.ts'
import { readJson } from './body.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

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
    throw new Refusal('forbidden', { detail: 'The request comes from a page of another site.' })
  }
  const authorization = req.header('authorization') ?? ''
  const { role } = await findHolder(services, authorization, 'mcp')
  const message = await readMessage(req.raw)
  if (message instanceof Response) return message
  if (role === null && !isToolCall(message)) {
    throw new Refusal('forbidden', { detail: 'Who made this token is no longer a member of its team.' })
  }
  // Loaded by the first message: most services never get one, and every start would wait for it.
  const { answerMessage } = await import('../mcp/server.ts')
  return answerMessage(services, { authorization, role }, req.raw, message)
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
  return (message as { method?: unknown } | null)?.method === 'tools/call'
}
