import dgram from 'node:dgram'
import net from 'node:net'
import { type DialFailure, judgeFailures } from './dial-failure.ts'
import { codeOf } from './own-trouble.ts'
import { askRoute } from './route.ts'

/** A packet that is lost costs a second; each further wait is twice as long. */
const FIRST_WAIT_MS = 1_000

/** `isOfTheWay`: the way from here may be the reason. `silent`: until the signal aborted. */
export type PacketOutcome<T> =
  | { kind: 'answered'; answer: T }
  | { kind: 'silent' }
  | { kind: 'failed'; reason: string }
  | { kind: 'inconclusive'; reason: string; isOfTheWay: boolean }

/** The meaning of a packet: the answer, none of ours (null), or that something else is to be sent. */
export type PacketMeaning<T> = { answer: T } | { instead: Uint8Array } | null

/**
 * Sends a packet to a judged address over UDP, again and again until the answer is there or the signal aborts: a new one each time, if it is
 * made. Packets from elsewhere are not read.
 */
export async function askByPackets<T>(
  { address, port }: { address: string; port: number },
  packet: Uint8Array | (() => Uint8Array),
  read: (bytes: Buffer) => PacketMeaning<T>,
  signal: AbortSignal,
): Promise<PacketOutcome<T>> {
  const socket = dgram.createSocket(net.isIPv6(address) ? 'udp6' : 'udp4')
  const outcome = Promise.withResolvers<PacketOutcome<T> | { kind: 'error'; code: string }>()
  let timer: NodeJS.Timeout | undefined
  let make = typeof packet === 'function' ? packet : () => packet
  const send = (waitMs: number) => {
    socket.send(make())
    timer = setTimeout(() => send(waitMs * 2), waitMs)
  }
  socket.on('error', (error) => outcome.resolve({ kind: 'error', code: codeOf(error) }))
  socket.on('message', (bytes) => {
    const meaning = read(bytes)
    if (!meaning) return
    if ('answer' in meaning) return outcome.resolve({ kind: 'answered', answer: meaning.answer })
    const { instead } = meaning
    make = () => instead
    clearTimeout(timer)
    send(FIRST_WAIT_MS)
  })
  const giveUp = () => outcome.resolve({ kind: 'silent' })
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    if (signal.aborted) return { kind: 'silent' }
    // The kernel then reads this server's packets alone, and says when nothing listens there.
    socket.connect(port, address, () => send(FIRST_WAIT_MS))
    const found = await outcome.promise
    if (found.kind !== 'error') return found
    const failure: DialFailure = await askRoute({ address, code: found.code })
    return judgeFailures([failure], port)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    socket.close()
  }
}
