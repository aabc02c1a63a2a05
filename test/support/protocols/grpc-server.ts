import { once } from 'node:events'
import http2, {
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt'
import type { Scope } from '../scope.ts'
import type { ServerCertificate } from '../servers/certificates.ts'

/** The statuses of grpc.health.v1, by the names of services; without a name, of the whole. */
export type Healths = Record<string, number>

export type GrpcOptions = {
  healths?: Healths
  /** The version of reflection that is offered; null for none. */
  reflection?: 'v1' | 'v1alpha' | null
  certificate?: ServerCertificate
  /** In place of all honest answers. */
  instead?: (stream: ServerHttp2Stream, session: ServerHttp2Session) => void
}

export type GrpcServer = {
  port: number
  /** The path of each call, and the metadata `x-token` that came with it. */
  heard: { path: string; token: string | undefined }[]
  openSessions: () => number
  /** Resolves once it has been called. */
  reached: Promise<void>
}

const field = (name: string, number: number, type: FieldDescriptorProto_Type) => ({
  ...{ name, number, type, jsonName: name },
  label: FieldDescriptorProto_Label.OPTIONAL,
})

/** `shop.Orders`, whose messages stand in a file that its own imports. */
const MESSAGES = create(FileDescriptorProtoSchema, {
  name: 'shop/messages.proto',
  package: 'shop',
  syntax: 'proto3',
  messageType: [
    { name: 'GetOrder', field: [field('id', 1, FieldDescriptorProto_Type.INT32)] },
    {
      name: 'Order',
      field: [
        field('id', 1, FieldDescriptorProto_Type.INT32),
        field('state', 2, FieldDescriptorProto_Type.STRING),
      ],
    },
  ],
})
const SERVICES = create(FileDescriptorProtoSchema, {
  name: 'shop/orders.proto',
  package: 'shop',
  syntax: 'proto3',
  dependency: ['shop/messages.proto'],
  service: [
    {
      name: 'Orders',
      method: [
        { name: 'Get', inputType: '.shop.GetOrder', outputType: '.shop.Order' },
        { name: 'Watch', inputType: '.shop.GetOrder', outputType: '.shop.Order', serverStreaming: true },
      ],
    },
  ],
})
const FILES = new Map<string, FileDescriptorProto>([MESSAGES, SERVICES].map((file) => [file.name, file]))
const REGISTRY = createFileRegistry(SERVICES, (name) => FILES.get(name))

/** A server of gRPC on the loopback: health, reflection and `shop.Orders/Get`. */
export async function startGrpcServer(
  scope: Scope,
  { healths = { '': 1 }, reflection = 'v1', certificate, instead }: GrpcOptions = {},
): Promise<GrpcServer> {
  const server: Http2Server = certificate
    ? (http2.createSecureServer(certificate) as unknown as Http2Server)
    : http2.createServer()
  const sessions = new Set<ServerHttp2Session>()
  const heard: GrpcServer['heard'] = []
  const reached = Promise.withResolvers<void>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {})
    const path = String(headers[':path'])
    reached.resolve()
    heard.push({ path, token: headers['x-token']?.toString() })
    if (instead) return instead(stream, stream.session as ServerHttp2Session)
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => answer(stream, path, Buffer.concat(pieces).subarray(5)))
  })
  const answer = (stream: ServerHttp2Stream, path: string, message: Buffer) => {
    if (path === '/grpc.health.v1.Health/Check') {
      const status = healths[textIn(message)]
      if (status === undefined) return fail(stream, 5, 'unknown%20service')
      return say(stream, new BinaryWriter().tag(1, WireType.Varint).int32(status).finish())
    }
    if (reflection && path === `/grpc.reflection.${reflection}.ServerReflection/ServerReflectionInfo`)
      return say(stream, reflect(message))
    if (path === '/shop.Orders/Get') return say(stream, orderFor(message))
    return fail(stream, 12, 'unknown method')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const session of sessions) session.destroy()
    server.close()
    await once(server, 'close')
  })
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    openSessions: () => sessions.size,
    reached: reached.promise,
  }
}

const GRPC = { ':status': 200, 'content-type': 'application/grpc' }

export function say(stream: ServerHttp2Stream, message: Uint8Array): void {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  stream.respond(GRPC, { waitForTrailers: true })
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(Buffer.concat([prefix, message]))
}

/** Without a message, the status stands in the head. */
export function fail(stream: ServerHttp2Stream, code: number, message: string): void {
  stream.respond({ ...GRPC, 'grpc-status': String(code), 'grpc-message': message }, { endStream: true })
}

function textIn(message: Buffer): string {
  if (message.length === 0) return ''
  const reader = new BinaryReader(message)
  reader.tag()
  return reader.string()
}

function reflect(message: Buffer): Uint8Array {
  const reader = new BinaryReader(message)
  const [number] = reader.tag()
  const text = reader.string()
  const file = number === 3 ? FILES.get(text) : text === 'shop.Orders' ? SERVICES : undefined
  const writer = new BinaryWriter()
  if (!file)
    return writer.tag(7, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(5).join().finish()
  const inner = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(toBinary(FileDescriptorProtoSchema, file))
  return writer.tag(4, WireType.LengthDelimited).bytes(inner.finish()).finish()
}

function orderFor(message: Buffer): Uint8Array {
  const [asked, order] = [REGISTRY.getMessage('shop.GetOrder'), REGISTRY.getMessage('shop.Order')]
  if (!asked || !order) throw new Error('no such messages')
  const { id } = fromBinary(asked, message) as unknown as { id: number }
  return toBinary(order, create(order, { id, state: 'sent' } as never))
}
