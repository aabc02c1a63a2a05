import http from 'node:http'
import https from 'node:https'
import { createSecureContext } from 'node:tls'

export type BareRequest = () => Promise<number>

/**
 * The least that a check can be: one request with node's own client over a fresh connection, up to the status.
 * Nothing is judged and nothing kept. `authority` (PEM) for https.
 */
export function bareRequest(url: string, authority: string): BareRequest {
  const isHttps = url.startsWith('https:')
  // Made once: node would read the authority anew for every connection, at 10 ms each.
  const secureContext = isHttps ? createSecureContext({ ca: authority }) : null
  const request = isHttps ? https.get : http.get
  return () =>
    new Promise((resolve, reject) => {
      request(url, { agent: false, ...(secureContext && { secureContext }) }, (response) => {
        response.destroy()
        resolve(response.statusCode ?? 0)
      }).on('error', reject)
    })
}
