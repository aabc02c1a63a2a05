import dgram from 'node:dgram'
import { once } from 'node:events'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import dnsPacket, { type Answer, type DecodedPacket } from 'dns-packet'
import type { DnsTransport } from '../../../src/core/monitors/options/dns.ts'
import type { ServerCertificate } from '../servers/certificates.ts'

type Scope = { after: (close: () => Promise<void>) => void }

/** An answer to a question: records, a code, flags, bytes as they are, or nothing at all. */
export type Said =
  | { records?: readonly Answer[]; code?: number; isCut?: boolean; isAuthentic?: boolean; id?: number }
  | { bytes: Buffer }
  | 'silence'
  | 'hang up'

export type Asked = { name: string; type: string; hasExtension: boolean; wantsProof: boolean }

export type NameServer = {
  port: number
  /** In their order. */
  asked: Asked[]
}

/** The codes of answers (RFC 1035, section 4.1.1). */
export const CODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

/** A name server on the loopback that speaks one transport, or UDP and TCP at one port. */
export async function startNameServer(
  scope: Scope,
  answer: (asked: Asked, over: DnsTransport) => Said,
  { transport = 'udp', certificate }: { transport?: DnsTransport; certificate?: ServerCertificate } = {},
): Promise<NameServer> {
  const asked: Asked[] = []
  const say = (query: Buffer, over: DnsTransport): Buffer | null | 'hang up' => {
    const packet = dnsPacket.decode(query)
    const question = packet.questions?.[0]
    const extension = packet.additionals?.find(({ type }) => type === 'OPT')
    const one = {
      name: question?.name ?? '',
      type: question?.type ?? '',
      hasExtension: extension !== undefined,
      wantsProof: packet.flag_ad,
    }
    asked.push(one)
    const said = answer(one, over)
    if (said === 'silence') return null
    if (said === 'hang up') return said
    return 'bytes' in said ? said.bytes : written(packet, said)
  }
  if (transport === 'https') return { port: await startHttps(scope, say, certificate), asked }
  const port = await startStream(scope, say, transport === 'tls' ? certificate : undefined, transport)
  if (transport === 'udp') await startPackets(scope, say, port)
  return { port, asked }
}

type Say = (query: Buffer, over: DnsTransport) => Buffer | null | 'hang up'

function written(
  { id, questions = [] }: DecodedPacket,
  said: Exclude<Said, string | { bytes: Buffer }>,
): Buffer {
  const { records = [], code = 0, isCut = false, isAuthentic = false } = said
  const flags = 0x180 | (isCut ? 0x200 : 0) | (isAuthentic ? 0x20 : 0) | code
  return dnsPacket.encode({
    ...{ type: 'response', id: said.id ?? id ?? 0, flags, questions, answers: [...records] },
  })
}

async function startPackets(scope: Scope, say: Say, port: number): Promise<void> {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, from) => {
    const said = say(query, 'udp')
    if (said !== null && said !== 'hang up') socket.send(said, from.port, from.address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  scope.after(async () => {
    socket.close()
    await once(socket, 'close')
  })
}

async function startStream(
  scope: Scope,
  say: Say,
  certificate: ServerCertificate | undefined,
  over: DnsTransport,
): Promise<number> {
  const sockets = new Set<Socket>()
  const take = (socket: Socket) => {
    sockets.add(socket)
    let read = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      read = Buffer.concat([read, piece])
      if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return undefined
      const said = say(read.subarray(2), over === 'udp' ? 'tcp' : over)
      if (said === 'hang up') return void socket.destroy()
      if (said !== null) socket.write(withLength(said))
    })
  }
  const server = certificate
    ? tls.createServer({ cert: certificate.cert, key: certificate.key }, take)
    : net.createServer(take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as net.AddressInfo).port
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

async function startHttps(
  scope: Scope,
  say: Say,
  certificate: ServerCertificate | undefined,
): Promise<number> {
  const server = https.createServer(
    { cert: certificate?.cert, key: certificate?.key },
    (request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece) => pieces.push(piece))
      request.on('end', () => {
        const isOne =
          request.method === 'POST' && request.headers['content-type'] === 'application/dns-message'
        const said = isOne ? say(Buffer.concat(pieces), 'https') : 'hang up'
        if (said === 'hang up') response.writeHead(isOne ? 503 : 415).end()
        else if (said !== null)
          response.writeHead(200, { 'content-type': 'application/dns-message' }).end(said)
      })
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as net.AddressInfo).port
}
