import type { Services } from './services.ts'

/** Where AI clients connect, below the address of the site. */
export const MCP_PATH = '/mcp'

/** Where they read how to sign in for it (RFC 9728, section 3.1). */
export const MCP_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`

/** What a 401 of the MCP endpoint says in `WWW-Authenticate` (RFC 9728, section 5.1). */
export function mcpChallenge({ siteUrl }: Pick<Services, 'siteUrl'>): string {
  return `Bearer resource_metadata="${siteUrl}${MCP_METADATA_PATH}"`
}
