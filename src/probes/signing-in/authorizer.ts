import type { IncomingMessage } from 'node:http'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeAttempt } from '../attempt.ts'
import type { Hop, WebSettings } from '../hop.ts'

/** The value of the header `Authorization`, or the result of a check that got none. */
export type Authorized = { kind: 'value'; value: string } | { kind: 'ended'; result: CheckResult }

/** Signs the requests of one attempt in, within the monitor's own origin. */
export type Authorizer = {
  /** Before the first request; null where the server has to ask first. */
  begin(): Promise<Authorized | null>
  /** Once the server answered a request with 401; null where that is the last word. */
  again(hop: Hop, response: IncomingMessage): Promise<Authorized | null>
  /** A value is for one request alone, and no following one. */
  isForOneRequest: boolean
}

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
      return (await import('./digest.ts')).createDigest(current.settings)
  }
}

function byToken(token: string): Authorizer {
  return {
    begin: async () => ({ kind: 'value', value: `Bearer ${token}` }),
    again: async () => null,
    isForOneRequest: false,
  }
}
