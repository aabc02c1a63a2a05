import type { ProbeAttempt } from '../attempt.ts'
import type { WebSettings } from '../hop.ts'
import type { Authorizer } from './authorizer.ts'

/** Null where the header stands among those of the monitor, or basic authentication does. */
export async function authorizerOf(current: ProbeAttempt<WebSettings>): Promise<Authorizer | null> {
  const { options, request_headers } = current.settings
  const auth = options?.auth
  // A header that is set on the monitor wins.
  if (!auth || Object.keys(request_headers ?? {}).some((name) => name.toLowerCase() === 'authorization'))
    return null
  switch (auth.type) {
    case 'bearer':
      return byToken(auth.token)
    case 'oauth2':
      return (await import('./oauth2.ts')).createOAuth2(current, auth)
    case 'digest':
      return (await import('./digest.ts')).createDigest(current)
  }
}

function byToken(token: string): Authorizer {
  return {
    begin: async () => ({ kind: 'value', value: `Bearer ${token}` }),
    again: async () => null,
    isForOneRequest: false,
  }
}
