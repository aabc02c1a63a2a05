// A process of its own: the target of checks, and the bare server that the API is compared with. It answers
// `/<n>` with a constant JSON text of n bytes, `/0` with 204; over HTTP and HTTPS, on the loopback.
import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { ServerCertificate } from '../../test/support/servers/certificates.ts'

export type Ports = { http: number; https: number }
/** `hosts`: addresses of the loopback besides 127.0.0.1 that answer HTTP, on the same port. */
export type Order = { certificate: ServerCertificate; hosts: string[] }

const texts = new Map<string, Buffer>()

const answer: RequestListener = (request, response) => {
  const path = request.url ?? '/0'
  request.resume()
  request.on('end', () => {
    if (path === '/0') return void response.writeHead(204).end()
    const text = texts.get(path) ?? constantText(path)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
  })
}

function constantText(path: string): Buffer {
  const text = Buffer.from(JSON.stringify('x'.repeat(Math.max(0, Number(path.slice(1)) - 2))))
  texts.set(path, text)
  return text
}

async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return (server.address() as AddressInfo).port
}

process.on('disconnect', () => process.exit())
process.once('message', async ({ certificate, hosts }: Order) => {
  const bare = () => http.createServer({ keepAliveTimeout: 60_000 }, answer)
  const ports: Ports = {
    http: await listen(bare()),
    https: await listen(https.createServer(certificate, answer)),
  }
  for (const host of hosts) await listen(bare(), ports.http, host)
  process.send?.(ports)
})
