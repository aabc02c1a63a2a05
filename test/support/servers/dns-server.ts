import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'
import { HANG_GUARD_MS } from '../hang-guard.ts'

const HEADER_BYTES = 12
const TYPE_A = 1
const TYPE_NS = 2
const TYPE_CNAME = 5
const TYPE_MX = 15
const TYPE_TXT = 16
const TYPE_AAAA = 28
const TYPE_SRV = 33
const TYPE_CAA = 257
const TYPES: Record<number, string> = {
  [TYPE_A]: 'A',
  [TYPE_NS]: 'NS',
  [TYPE_CNAME]: 'CNAME',
  [TYPE_MX]: 'MX',
  [TYPE_TXT]: 'TXT',
  [TYPE_AAAA]: 'AAAA',
  [TYPE_SRV]: 'SRV',
  [TYPE_CAA]: 'CAA',
}
const LAST = 'last.example'
const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

/**
 * Addresses of a name (none: NOERROR without an answer), an error code, no reply at all, an alias for a name that has no
 * address (`NOERROR`) or does not exist, texts, or all records of a name by their types.
 */
export type Reply = string[] | keyof typeof RCODES | 'silence' | Alias | Texts | Zone
type Texts = { txt: string[] }
/** `mx` without its preference, which is 10; `caa`: who may issue. */
export type Zone = {
  ns?: string[]
  mx?: string[]
  srv?: { priority?: number; port: number; target: string }[]
  caa?: string[]
  texts?: string[]
  addresses?: string[]
  cname?: string
}
type Alias = { alias: string; rcode: 'NOERROR' | 'NXDOMAIN' }

export type DnsServer = {
  /** `ip:port`, as createNetwork takes it. */
  address: string
  /** Every question so far: `example.com A`; the root is ` NS`. */
  questions: string[]
  /** Resolves when it was asked about the root, and whoever asked has the answer, if there is one. */
  rootAnswered(): Promise<void>
}

/**
 * A name server, on the loopback unless told otherwise (RFC 1035, UDP only), that answers from a table, NXDOMAIN for the
 * rest, and nothing about the root, which it does not deny.
 */
export async function startDnsServer(
  scope: { after: (close: () => Promise<void>) => void },
  replies: Record<string, Reply>,
  where = { address: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const questions: string[] = []
  const rootAsked = Promise.withResolvers<void>()
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    if (name !== LAST) questions.push(`${name} ${TYPES[type] ?? 'NS'}`)
    const reply = replies[name] ?? (name === '' ? [] : 'NXDOMAIN')
    if (reply !== 'silence') socket.send(answer(query.subarray(0, end), type, reply), from.port, from.address)
    if (name === '') rootAsked.resolve()
  })
  socket.bind(where.port, where.address)
  await once(socket, 'listening')
  scope.after(async () => {
    socket.close()
    await once(socket, 'close')
  })
  const address = `${where.address}:${socket.address().port}`
  const rootAnswered = async () => {
    await rootAsked.promise
    // Earlier answers have arrived once this one has.
    const resolver = new dns.promises.Resolver({ timeout: HANG_GUARD_MS })
    resolver.setServers([address])
    await resolver.resolve4(LAST).catch(() => {})
  }
  return { address, questions, rootAnswered }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answer(question: Buffer, type: number, reply: Exclude<Reply, 'silence'>): Buffer {
  const records = recordsOf(type, reply)
  const rcode = typeof reply === 'string' ? reply : 'rcode' in reply ? reply.rcode : 'NOERROR'
  const header = Buffer.from(question)
  header.writeUInt16BE(0x8180 | RCODES[rcode], 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, ...records])
}

function recordsOf(type: number, reply: Exclude<Reply, 'silence'>): Buffer[] {
  if (typeof reply === 'string') return []
  if (!Array.isArray(reply) && 'txt' in reply)
    return type === TYPE_TXT ? reply.txt.map((text) => record(TYPE_TXT, stringsOf(text))) : []
  if (!Array.isArray(reply) && !('alias' in reply)) return recordsOfZone(type, reply)
  if ('alias' in reply) return [record(TYPE_CNAME, nameOf(reply.alias))]
  const addresses = reply.map((text) => Buffer.from(ipaddr.parse(text).toByteArray()))
  const length = type === TYPE_A ? 4 : type === TYPE_AAAA ? 16 : 0
  return addresses.filter((address) => address.length === length).map((address) => record(type, address))
}

function recordsOfZone(type: number, zone: Zone): Buffer[] {
  if (zone.cname !== undefined && type !== TYPE_NS) return [record(TYPE_CNAME, nameOf(zone.cname))]
  switch (type) {
    case TYPE_NS:
      return (zone.ns ?? []).map((name) => record(type, nameOf(name)))
    case TYPE_MX:
      return (zone.mx ?? []).map((name) => record(type, Buffer.concat([Buffer.from([0, 10]), nameOf(name)])))
    case TYPE_CAA:
      return (zone.caa ?? []).map((issuer) =>
        record(type, Buffer.concat([Buffer.from([0, 5]), Buffer.from(`issue${issuer}`)])),
      )
    case TYPE_SRV:
      return (zone.srv ?? []).map(({ priority = 0, port, target }) => {
        const numbers = Buffer.alloc(6)
        numbers.writeUInt16BE(priority, 0)
        numbers.writeUInt16BE(port, 4)
        return record(type, Buffer.concat([numbers, nameOf(target)]))
      })
    case TYPE_TXT:
      return (zone.texts ?? []).map((text) => record(type, stringsOf(text)))
    default:
      return recordsOf(type, zone.addresses ?? [])
  }
}

/** One answer about the name that was asked for. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** A text as character strings, which hold 255 bytes each. */
function stringsOf(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])))
}

function nameOf(name: string): Buffer {
  const labels = name
    .split('.')
    .filter(Boolean)
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
