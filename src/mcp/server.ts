import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { mayUse, type Role } from '../core/teams/access.ts'
import type { Services } from '../operations/services.ts'
import { callTool } from './call.ts'
import { TOOLS, type Tool } from './tools.ts'

const VERSION = '2.0.0'
/** How long a client may keep showing the tools of a role that has since changed. */
const TOOLS_TTL_MS = 60_000

const INSTRUCTIONS = `Upbeat watches URLs, page contents, certificates, TCP ports, hosts and jobs (heartbeats) for a team. \
When a check of a monitor fails, an incident opens and notification contacts are alerted; when one passes, it resolves. \
get-team tells the plan's limits, list-monitors what is watched and how it does. Times are UTC. An answer is \
{"data": …}; a refused call is a problem with status, title and, where arguments are wrong, errors by argument.`

/** The caller: the token as sent, and its creator's current role; null once they have left the team. */
export type Caller = { authorization: string; role: Role | null }

/**
 * Answers one message of an AI client, in any supported revision of the protocol. No state is kept between messages, so
 * any process can answer.
 */
export function answerMessage(
  services: Services,
  caller: Caller,
  request: Request,
  message: unknown,
): Promise<Response> {
  return createMcpHandler(() => createServer(services, caller)).fetch(request, { parsedBody: message })
}

/** The operations validate arguments and word the errors; the SDK passes arguments on unchanged. */
function createServer(services: Services, { authorization, role }: Caller): Server {
  const server = new Server(
    { name: 'upbeat', title: 'Upbeat', version: VERSION, websiteUrl: services.siteUrl },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'private' } },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: offeredTo(role).map(present) }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = TOOLS.get(params.name)
    if (tool) return callTool(services, authorization, tool, params.arguments ?? {})
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
  })
  return server
}

function offeredTo(role: Role | null): Tool[] {
  return [...TOOLS.values()].filter(({ access }) => role !== null && mayUse(role, access))
}

function present({ name, title, description, inputSchema, outputSchema, annotations }: Tool) {
  return { name, title, description, inputSchema, outputSchema, annotations }
}
