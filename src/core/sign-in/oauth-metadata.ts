import { RESOURCE_PATHS, type Resource, scopeOf } from './oauth.ts'

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  server: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
} as const

const SCOPES = scopeOf('write').split(' ')

/** Authorization server metadata (RFC 8414). */
export function serverMetadata(siteUrl: string, docsUrl: string) {
  return {
    issuer: siteUrl,
    authorization_endpoint: siteUrl + OAUTH_PATHS.authorize,
    token_endpoint: siteUrl + OAUTH_PATHS.token,
    registration_endpoint: siteUrl + OAUTH_PATHS.register,
    revocation_endpoint: siteUrl + OAUTH_PATHS.revoke,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: Object.values(RESOURCE_PATHS).map((path) => siteUrl + path),
    service_documentation: `${docsUrl}/oauth`,
  }
}

/** Protected resource metadata (RFC 9728). */
export function resourceMetadata(siteUrl: string, docsUrl: string, resource: Resource) {
  return {
    resource: siteUrl + RESOURCE_PATHS[resource],
    resource_name: resource === 'mcp' ? 'Upbeat for AI assistants' : 'Upbeat API',
    authorization_servers: [siteUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${docsUrl}/oauth`,
  }
}

/** The `WWW-Authenticate` value that leads a client to the sign-in (RFC 6750 section 3, RFC 9728 section 5.1). */
export function challengeOf(
  siteUrl: string,
  resource: Resource,
  members: Record<string, string> = {},
): string {
  const url = `${siteUrl}${OAUTH_PATHS.resource}${RESOURCE_PATHS[resource]}`
  const all = Object.entries({ ...members, resource_metadata: url })
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}
