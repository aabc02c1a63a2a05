import http from 'node:http'
import { text } from 'node:stream/consumers'
import type { Scope } from '../support/scope.ts'
import { listen } from '../support/servers/receivers.ts'
import type { Received } from './logs.ts'

/** The ways in which an alert's receiver can fail its sender. */
export type Mood = 'takes' | 'fails' | 'takes and hangs up'

/** `monitor` is the id of what it is about, which `type` names. */
type Told = Received & { type: string }

/** Where alerts go. It writes down what it took; what it refused it did not get. */
export type AlertReceiver = {
  port: number
  mood: Mood
  received: Told[]
  /** The same for contacts of escalation steps. */
  stepped: Told[]
}

export async function startAlertReceiver(scope: Scope): Promise<AlertReceiver> {
  const receiver: AlertReceiver = { port: 0, mood: 'takes', received: [], stepped: [] }
  const server = http.createServer(async (request, response) => {
    const body = await text(request).catch(() => null)
    // A sender that died in the middle said nothing.
    if (body === null) return
    if (receiver.mood === 'fails') {
      response.writeHead(503).end()
      return
    }
    const { type, id: monitor, event } = JSON.parse(body)
    const messageId = String(request.headers['webhook-id'])
    const log = request.url?.startsWith('/step/') ? receiver.stepped : receiver.received
    log.push({ messageId, type, monitor, event, body, atMs: Date.now() })
    if (receiver.mood === 'takes') response.writeHead(204).end()
    else request.socket.destroy()
  })
  receiver.port = await listen(server, '0.0.0.0')
  scope.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return receiver
}
