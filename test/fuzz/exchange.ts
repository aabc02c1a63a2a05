import { type Agent, request } from 'node:http'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Living } from './living.ts'

export type Outcome = {
  status: number
  /** A 503 that says when to ask again: the service has too much to do at present, which is no fault. */
  isBusy: boolean
}

/** Sends a request and reads the whole answer. Throws where there is none. */
export function exchange(
  base: string,
  agent: Agent,
  { method, path, headers, body, bytes }: Living,
): Promise<Outcome> {
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
        const outcome = { status, isBusy: status === 503 && answer.headers['retry-after'] !== undefined }
        // A stream of news has no end.
        if (path.includes('/events') && answer.headers['content-type']?.startsWith('text/event-stream')) {
          answer.destroy()
          return resolve(outcome)
        }
        answer
          .on('error', reject)
          .on('end', () => resolve(outcome))
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
