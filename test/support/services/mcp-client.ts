import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import type { Scope } from '../scope.ts'
import type { AskedService } from './asked-service.ts'

/** The revisions of the protocol that the service speaks, and how the official client is told to speak one. */
export const REVISIONS = {
  '2026-07-28': { pin: '2026-07-28' },
  '2025-11-25': 'legacy',
} as const
export type Revision = keyof typeof REVISIONS

/** For each request of the official client, which has little patience. */
export const PATIENT = { timeout: HANG_GUARD_MS }

// biome-ignore lint/suspicious/noExplicitAny: tests read content of every shape; what they find is what they assert
export type ToolAnswer = CallToolResult & { structuredContent: any }

export type McpClient = {
  client: Client
  tools(): Promise<Tool[]>
  call(name: string, sent?: Record<string, unknown>): Promise<ToolAnswer>
}

/** The official client, connected to the service with a token. */
export async function openMcpClient(
  scope: Scope,
  service: AskedService,
  token: string,
  revision: Revision = '2026-07-28',
): Promise<McpClient> {
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: REVISIONS[revision] } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }),
    PATIENT,
  )
  scope.after(() => client.close())
  return {
    client,
    tools: async () => (await client.listTools({}, PATIENT)).tools,
    call: async (name, sent = {}) =>
      (await client.callTool({ name, arguments: sent }, PATIENT)) as ToolAnswer,
  }
}
