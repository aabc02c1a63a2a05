import type { Socket } from 'node:net'
import { dnsHungUp, dnsInvalid, dnsUnaskable } from '../../core/monitors/types/protocol-causes.ts'
import { judgeFailures } from '../dial-failure.ts'
import { codeOf } from '../own-trouble.ts'
import { askByPackets, type PacketMeaning, type PacketOutcome } from '../packets.ts'
import type { DnsAnswer, DnsMessages, DnsQuestion } from './dns-wire.ts'

const LENGTH_BYTES = 2

export type NameServerPlace = { address: string; port: number }

export type QuestionOutcome = PacketOutcome<DnsAnswer>

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
  let sent = written
  const read = (bytes: Buffer): PacketMeaning<DnsAnswer> => {
    const answer = messages.read(bytes, sent.id, question)
    if (!answer) return null
    // A server that knows no EDNS (RFC 6891, section 7).
    if (answer.code !== 'FORMERR' || sent !== written || question.wantsProof) return { answer }
    sent = plain
    return { instead: plain.bytes }
  }
  return askByPackets(place, written.bytes, read, signal)
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
