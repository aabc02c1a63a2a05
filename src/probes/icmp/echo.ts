import { randomFillSync, randomInt } from 'node:crypto'
import { canonicalAddress, type Echo, encodeEchoRequest, type IpFamily } from './packet.ts'
import {
  type Arrival,
  type IcmpSocket,
  icmpSocketOpener,
  type Moment,
  type OpenIcmpSocket,
  type SocketRefusal,
} from './socket.ts'

/** Sequence numbers have 16 bits; one is always left free so that the search for a free one ends. */
const MAX_IN_FLIGHT = 65_535
/** With the 8-byte header, a request is as long as that of the usual `ping`, so that no firewall finds it odd. */
const PAYLOAD_BYTES = 56
const NONCE_BYTES = 16
/** Calling the random generator for each request would cost more than everything except the system calls. */
const NONCES_PER_FILL = 256
/** After the first request for packet timestamps, Linux turns them on in the background. */
const TIMESTAMPS_READY_MS = 50
/** Answers over loopback arrive while we are still sending: read in between, before they fill the socket. */
const SENDS_PER_RECEIVE = 64
/** Enough rounds to read more than a full socket buffer; a flood must not delay a verdict forever. */
const MAX_SETTLE_ROUNDS = 16

export type Address = { address: string; family: IpFamily }

export type EchoOutcome =
  | { kind: 'answered'; roundTripMs: number }
  | { kind: 'unreachable'; reportedBy: string }

/** One socket per family for the whole process; this layer matches answers to requests. */
export type EchoSockets = {
  /** Opens the family's socket unless it is open; a failure is retried on the next call. */
  open(family: IpFamily): Promise<{ kind: 'open' } | SocketRefusal>
  /** Sends one echo request; `onOutcome` is called at most once, and never after `cancel`. `hops`: see `IcmpSocket.send`. */
  send(
    target: Address,
    onOutcome: (outcome: EchoOutcome) => void,
    hops?: number,
  ): { kind: 'sent'; cancel: () => void } | { kind: 'failed'; code: string }
  /** Reads everything that has arrived. Returns how many arrivals the kernel has dropped since opening. */
  settle(family: IpFamily): Promise<{ droppedArrivals: number }>
  close(): void
}

/** Creates the process's echo sockets; nothing is opened or loaded before the first use. */
export function openEchoSockets(openSocket: OpenIcmpSocket = icmpSocketOpener()): EchoSockets {
  const lanes = { 4: createLane(4, openSocket), 6: createLane(6, openSocket) }
  return {
    open: (family) => lanes[family].open(),
    send: (target, onOutcome, hops) => lanes[target.family].send(target.address, onOutcome, hops),
    settle: (family) => lanes[family].settle(),
    close: () => {
      lanes[4].close()
      lanes[6].close()
    },
  }
}

type Waiting = { address: string; payload: Buffer; sentAt: Moment; onOutcome: (outcome: EchoOutcome) => void }

function createLane(family: IpFamily, openSocket: OpenIcmpSocket) {
  const waiting = new Map<number, Waiting>()
  const createPayload = payloads()
  let socket: IcmpSocket | null = null
  let ready: Promise<void> | null = null
  let lastSequence = randomInt(0x10000)
  let sends = 0

  function freeSequence(): number {
    do lastSequence = (lastSequence + 1) & 0xffff
    while (waiting.has(lastSequence))
    return lastSequence
  }

  function onArrival({ message, from, at }: Arrival): void {
    const request = waiting.get(message.echo.sequence)
    if (!request || !isAbout(request, message.echo, socket?.identifier ?? null)) return
    const isReply = message.kind === 'reply'
    if ((isReply ? from : message.destination) !== request.address) return
    // An error may quote as little as 8 bytes of the request; a reply repeats all of it.
    if (isReply && message.echo.payload.length !== PAYLOAD_BYTES) return
    waiting.delete(message.echo.sequence)
    request.onOutcome(
      isReply
        ? { kind: 'answered', roundTripMs: roundTripMs(request.sentAt, at) }
        : { kind: 'unreachable', reportedBy: from },
    )
  }

  return {
    async open(): ReturnType<EchoSockets['open']> {
      if (!socket) {
        const opened = openSocket(family, onArrival)
        if (opened.kind !== 'open') return opened
        socket = opened.socket
        ready = new Promise((resolve) => setTimeout(resolve, TIMESTAMPS_READY_MS))
      }
      await ready
      return { kind: 'open' }
    },
    send(
      address: string,
      onOutcome: (outcome: EchoOutcome) => void,
      hops?: number,
    ): ReturnType<EchoSockets['send']> {
      if (!socket) return { kind: 'failed', code: 'EBADF' }
      if (waiting.size >= MAX_IN_FLIGHT) return { kind: 'failed', code: 'EAGAIN' }
      if (++sends % SENDS_PER_RECEIVE === 0) socket.receive()
      const sequence = freeSequence()
      const payload = createPayload()
      const packet = encodeEchoRequest(family, { identifier: socket.identifier ?? 0, sequence, payload })
      const sent = socket.send(packet, address, hops)
      if (sent.kind === 'failed') return sent
      const request = { address: canonicalAddress(address), payload, sentAt: sent.at, onOutcome }
      waiting.set(sequence, request)
      const cancel = () => {
        if (waiting.get(sequence) === request) waiting.delete(sequence)
      }
      return { kind: 'sent', cancel }
    },
    async settle(): ReturnType<EchoSockets['settle']> {
      for (let round = 0; round < MAX_SETTLE_ROUNDS && socket?.receive(); round++) {
        await new Promise((resolve) => setImmediate(resolve))
      }
      return { droppedArrivals: socket?.droppedArrivals() ?? 0 }
    },
    close(): void {
      socket?.close()
      socket = null
      waiting.clear()
    },
  }
}

/** Each call returns an unguessable payload. */
function payloads(): () => Buffer {
  const nonces = Buffer.alloc(NONCE_BYTES * NONCES_PER_FILL)
  let used = nonces.length
  return () => {
    if (used === nonces.length) {
      randomFillSync(nonces)
      used = 0
    }
    const payload = Buffer.alloc(PAYLOAD_BYTES)
    nonces.copy(payload, 0, used, used + NONCE_BYTES)
    used += NONCE_BYTES
    return payload
  }
}

/** `identifier` is null where the kernel delivers only replies to our own socket. */
function isAbout(request: Waiting, echo: Echo, identifier: number | null): boolean {
  if (identifier !== null && echo.identifier !== identifier) return false
  const quoted = Math.min(echo.payload.length, PAYLOAD_BYTES)
  return echo.payload.compare(request.payload, 0, quoted, 0, quoted) === 0
}

/**
 * Milliseconds from sending to the kernel's receipt, so that a stall of ours does not add to it. Without a timestamp,
 * or if the wall clock was set in between, the monotonic clock decides.
 */
export function roundTripMs(sent: Moment, arrived: Arrival['at']): number {
  const steadyMs = arrived.monotonicMs - sent.monotonicMs
  const stampedMs = arrived.wallMs === null ? steadyMs : arrived.wallMs - sent.wallMs
  return stampedMs >= 0 && stampedMs <= steadyMs ? stampedMs : Math.max(0, steadyMs)
}
