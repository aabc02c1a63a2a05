import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { readBytes } from '../../../src/net/proxy/first-bytes.ts'
import { startTcp } from '../servers/targets.ts'

type Scope = { after: (close: () => Promise<void>) => void }

/** A proxy, and all that it was asked for: `CONNECT 127.0.0.1:80`, with the credentials that came along. */
export type ProxyServer = { port: number; asked: { to: string; credentials: string | null }[] }

/** A proxy of HTTP that connects to anywhere. */
export async function startHttpProxy(scope: Scope): Promise<ProxyServer> {
  const asked: ProxyServer['asked'] = []
  const server = http.createServer((_, response) => response.writeHead(400).end())
  server.on('connect', (request, client) => {
    const [, credentials = null] = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '') ?? []
    asked.push({
      to: request.url ?? '',
      credentials: credentials && Buffer.from(credentials, 'base64').toString(),
    })
    client.on('error', () => {})
    join(client as net.Socket, request.url ?? '', () =>
      client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as net.AddressInfo).port, asked }
}

/** A proxy of SOCKS 5; with a user, only for that one. */
export async function startSocksProxy(scope: Scope, user: string | null = null): Promise<ProxyServer> {
  const asked: ProxyServer['asked'] = []
  const never = new AbortController().signal
  const take = (socket: net.Socket, length: number) => readBytes(socket, length, never)
  async function serve(socket: net.Socket) {
    const [, count = 0] = await take(socket, 2)
    const methods = await take(socket, count)
    const wanted = user === null ? 0 : 2
    if (!methods.includes(wanted)) return void socket.end(Buffer.from([5, 0xff]))
    socket.write(Buffer.from([5, wanted]))
    let credentials: string | null = null
    if (user !== null) {
      const [, nameLength = 0] = await take(socket, 2)
      const name = await take(socket, nameLength)
      const [length = 0] = await take(socket, 1)
      credentials = `${name}:${length > 0 ? await take(socket, length) : ''}`
      if (credentials !== user) return void socket.end(Buffer.from([1, 1]))
      socket.write(Buffer.from([1, 0]))
    }
    const [, , , kind] = await take(socket, 4)
    const bytes = await take(socket, kind === 1 ? 4 : 16)
    const port = (await take(socket, 2)).readUInt16BE()
    const address =
      kind === 1 ? [...bytes].join('.') : `[${bytes.toString('hex').replace(/(.{4})(?=.)/g, '$1:')}]`
    asked.push({ to: `${address}:${port}`, credentials })
    const bound = Buffer.from([3, 5, ...Buffer.from('bound'), 0, 0])
    join(
      socket,
      `${address}:${port}`,
      () => socket.write(Buffer.concat([Buffer.from([5, 0, 0]), bound])),
      () => void socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])),
    )
  }
  const { port } = await startTcp(scope, (socket) => {
    socket.on('error', () => {})
    serve(socket).catch(() => socket.destroy())
  })
  return { port, asked }
}

function join(
  client: net.Socket,
  to: string,
  onOpen: () => void,
  onRefused = () => void client.destroy(),
): void {
  const { hostname, port } = new URL(`http://${to}`)
  const target = net.connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 })
  target.once('connect', () => {
    target.off('error', onRefused)
    target.on('error', () => client.destroy())
    onOpen()
    client.pipe(target).pipe(client)
  })
  target.once('error', onRefused)
  client.once('close', () => target.destroy())
}
