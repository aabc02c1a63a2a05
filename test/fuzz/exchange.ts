import { type Agent, request } from 'node:http'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Living } from './living.ts'

/** Sends a request and reads the whole answer; returns its status. Throws where there is none. */
export function exchange(
  base: string,
  agent: Agent,
  { method, path, headers, body, bytes }: Living,
): Promise<number> {
  const { port } = new URL(base)
  const payload = bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  const isNamed = Object.keys(headers).some((name) => name === 'content-type')
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, method, path, agent, timeout: HANG_GUARD_MS },
        headers: {
          'x-forwarded-for': addressOf(),
          ...(payload && !isNamed && { 'content-type': 'application/json' }),
          ...(payload && { 'content-length': payload.length }),
          ...headers,
        },
      },
      (answer) => {
        const status = answer.statusCode ?? 0
        // A stream of news has no end.
        if (path.includes('/events') && answer.headers['content-type']?.startsWith('text/event-stream')) {
          answer.destroy()
          return resolve(status)
        }
        answer
          .on('error', reject)
          .on('end', () => resolve(status))
          .resume()
      },
    )
    asked.on('error', reject).on('timeout', () => asked.destroy(new Error('no answer')))
    asked.end(payload)
  })
}

let clients = 0

/** Another client each time: limits by address are none of this. */
function addressOf(): string {
  clients++
  return `198.${18 + ((clients >> 16) & 1)}.${(clients >> 8) & 255}.${clients & 255}`
}
