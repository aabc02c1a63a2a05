import type { Scope } from '../support/scope.ts'
import { CLIENT, startOidcProvider } from '../support/servers/oidc-provider.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'

export const METRICS_TOKEN = 'metrics-of-the-fuzz'

/** A service with every route that there can be, which nothing but requests changes, and which sends no mail. */
export async function startFuzzed(
  scope: Scope,
  environment: Record<string, string> = {},
): Promise<ServiceHere> {
  const { issuer } = await startOidcProvider(scope)
  return startServiceHere({
    ...{ ROLES: 'api', TRUST_PROXY: '1', SIGNUP: 'open', SMTP_URL: 'smtp://127.0.0.1:9', METRICS_TOKEN },
    ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    ...environment,
  })
}
