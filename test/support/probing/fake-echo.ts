import type { IcmpMessage } from '../../../src/probes/icmp/packet.ts'
import type { Arrival, Moment, OpenIcmpSocket } from '../../../src/probes/icmp/socket.ts'

export const IDENTIFIER = 0xbeef

/** One request as the network sees it; `nth` counts from 1 over the whole socket. */
export type EchoRequest = { nth: number; address: string; sequence: number; payload: Buffer; at: Moment }
export type EchoReaction = { arrivals?: Arrival[]; code?: string }

/** A network of one's own making: what comes back, or fails, for each request. */
export function fakeSocket(
  react: (request: EchoRequest) => EchoReaction,
  droppedArrivals = () => 0,
): OpenIcmpSocket {
  let nth = 0
  return (_, onArrival) => ({
    kind: 'open',
    socket: {
      mode: 'raw',
      identifier: IDENTIFIER,
      send(packet, address) {
        const at = { wallMs: 1_000_000, monotonicMs: 0 }
        const payload = packet.subarray(8)
        const reaction = react({ nth: ++nth, address, sequence: packet.readUInt16BE(6), payload, at })
        if (reaction.code) return { kind: 'failed', code: reaction.code }
        setImmediate(() => reaction.arrivals?.forEach(onArrival))
        return { kind: 'sent', at }
      },
      receive: () => false,
      droppedArrivals,
      close() {},
    },
  })
}

export function reply(request: EchoRequest, afterMs = 1): Arrival {
  return {
    message: { kind: 'reply', echo: echoOf(request) },
    from: request.address,
    at: { wallMs: request.at.wallMs + afterMs, monotonicMs: request.at.monotonicMs + 60_000 },
  }
}

/** As a router reports it: only the request's first 8 bytes are quoted. */
export function unreachable(request: EchoRequest, destination: string): Arrival {
  const echo = { ...echoOf(request), payload: Buffer.alloc(0) }
  return { ...reply(request), message: { kind: 'unreachable', echo, destination }, from: '127.0.0.1' }
}

export function echoOf({ sequence, payload }: EchoRequest): IcmpMessage['echo'] {
  return { identifier: IDENTIFIER, sequence, payload }
}
