import { once } from 'node:events'
import net from 'node:net'

const END_OF_HEAD = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

export type Reply = { status: number; body: Buffer }

/** One connection that stays open, one request at a time: as little work for the client as can be. */
export type KeepAliveConnection = {
  send(request: string): Promise<Reply>
  close(): void
}

export async function openConnection(port: number): Promise<KeepAliveConnection> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let settle: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const reply = readReply(received)
    if (!reply) return
    received = Buffer.alloc(0)
    settle?.resolve(reply)
  })
  socket.on('error', (error) => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('the server closed the connection')))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** The request as text; `body` goes as JSON. */
export function requestText(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | null = null,
): string {
  const sent = {
    host: '127.0.0.1',
    ...headers,
    ...(body !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}${END_OF_HEAD}${body ?? ''}`
}

/** Null while there is more to come. A chunked body is not decoded, only measured. */
function readReply(bytes: Buffer): Reply | null {
  const headEnd = bytes.indexOf(END_OF_HEAD)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const body = bytes.subarray(headEnd + END_OF_HEAD.length)
  if (status === 204) return { status, body }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const complete =
    length === undefined
      ? body.subarray(-LAST_CHUNK.length).toString() === LAST_CHUNK
      : body.length >= Number(length)
  return complete ? { status, body } : null
}
