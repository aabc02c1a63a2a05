import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../scope.ts'
import type { AskedService } from '../services/asked-service.ts'

/**
 * Passes everything on to the service with a token, for programs that cannot carry one; returns its address. Where
 * they name this address as the origin they come from, the service is told its own.
 */
export async function openTokenProxy(scope: Scope, service: AskedService, token: string): Promise<string> {
  const server = createServer((asked, answer) => {
    const isOwn = asked.headers.origin === addressOf(server)
    const passed = request(new URL(asked.url ?? '/', service.url), {
      method: asked.method ?? 'GET',
      headers: {
        ...asked.headers,
        authorization: `Bearer ${token}`,
        ...(isOwn && { origin: service.services.siteUrl }),
      },
    })
    passed.on('response', (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return addressOf(server)
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
