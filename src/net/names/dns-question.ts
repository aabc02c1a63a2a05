import dgram from 'node:dgram'
import net, { type Socket } from 'node:net'
import { dnsHungUp, dnsInvalid, dnsUnaskable } from '../../core/monitors/cause.ts'
import { type DialFailure, judgeFailures } from '../dial-failure.ts'
import { codeOf } from '../own-trouble.ts'
import { askRoute } from '../route.ts'
import type { DnsAnswer, DnsMessages, DnsQuestion } from './dns-wire.ts'

/** A packet that is lost costs a second; each further wait is twice as long. */
const FIRST_WAIT_MS = 1_000
const LENGTH_BYTES = 2

export type NameServerPlace = { address: string; port: number }

/** `isOfTheWay`: the way from here may be the reason. `silent`: until the signal aborted. */
export type QuestionOutcome =
  | { kind: 'answered'; answer: DnsAnswer }
  | { kind: 'silent' }
  | { kind: 'failed'; reason: string }
  | { kind: 'inconclusive'; reason: string; isOfTheWay: boolean }

/** Asks a server over UDP, again and again until it answers or the signal aborts. Packets from elsewhere are not read. */
export async function askByUdp(
  messages: DnsMessages,
  place: NameServerPlace,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  const written = messages.write(question, { isPlain: false })
  const plain = messages.write(question, { isPlain: true })
  if (!written || !plain) return { kind: 'failed', reason: dnsUnaskable(question.name) }
  const socket = dgram.createSocket(net.isIPv6(place.address) ? 'udp6' : 'udp4')
  const outcome = Promise.withResolvers<QuestionOutcome | { kind: 'error'; code: string }>()
  let timer: NodeJS.Timeout | undefined
  let sent = written
  const send = (waitMs: number) => {
    socket.send(sent.bytes)
    timer = setTimeout(() => send(waitMs * 2), waitMs)
  }
  socket.on('error', (error) => outcome.resolve({ kind: 'error', code: codeOf(error) }))
  socket.on('message', (bytes) => {
    const answer = messages.read(bytes, sent.id, question)
    if (!answer) return
    // A server that knows no EDNS (RFC 6891, section 7).
    if (answer.code === 'FORMERR' && sent === written && !question.wantsProof) {
      sent = plain
      clearTimeout(timer)
      return send(FIRST_WAIT_MS)
    }
    outcome.resolve({ kind: 'answered', answer })
  })
  const giveUp = () => outcome.resolve({ kind: 'silent' })
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    if (signal.aborted) return { kind: 'silent' }
    // The kernel then reads this server's packets alone, and says when nothing listens there.
    socket.connect(place.port, place.address, () => send(FIRST_WAIT_MS))
    const found = await outcome.promise
    if (found.kind !== 'error') return found
    const failure: DialFailure = await askRoute({ address: place.address, code: found.code })
    return judgeFailures([failure], place.port)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    socket.close()
  }
}

/** Asks over a connection, which the caller destroys (RFC 7766, RFC 7858). */
export async function askByStream(
  messages: DnsMessages,
  { socket, endpoint }: { socket: Socket; endpoint: string },
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  const written = messages.write(question, { isPlain: false })
  if (!written) return { kind: 'failed', reason: dnsUnaskable(question.name) }
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(written.bytes.length)
  const giveUp = () => socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    socket.write(Buffer.concat([length, written.bytes]))
    const bytes = await readMessage(socket)
    const answer = bytes && messages.read(bytes, written.id, question)
    if (answer) return { kind: 'answered', answer }
    if (signal.aborted) return { kind: 'silent' }
    return { kind: 'failed', reason: bytes ? dnsInvalid(endpoint) : dnsHungUp(endpoint) }
  } catch (error) {
    if (signal.aborted) return { kind: 'silent' }
    const address = socket.remoteAddress ?? ''
    return judgeFailures([{ address, code: codeOf(error) }], socket.remotePort ?? 0)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The first message of a stream; null if it ends before. At most 64 KiB, as its length says. */
async function readMessage(socket: Socket): Promise<Buffer | null> {
  let read = Buffer.alloc(0)
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, piece])
    if (read.length < LENGTH_BYTES) continue
    const end = LENGTH_BYTES + read.readUInt16BE(0)
    if (read.length >= end) return read.subarray(LENGTH_BYTES, end)
  }
  return null
}
