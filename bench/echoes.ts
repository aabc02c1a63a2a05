import { type Address, type EchoSockets, openEchoSockets } from '../src/probes/icmp/echo.ts'
import { encodeEchoRequest } from '../src/probes/icmp/packet.ts'
import { icmpSocketOpener } from '../src/probes/icmp/socket.ts'
import { createIcmpProbe } from '../src/probes/icmp.ts'
import { settingsFor } from '../test/support/servers/targets-settings.ts'
import { cpuMicros } from './processes.ts'
import { closedLoop } from './support/closed-loop.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { measureInTurn, pairsOf } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { alone, compare, type Row } from './support/table.ts'

const LOOPBACK: Address = { address: '127.0.0.1', family: 4 }
const ECHOES_IN_FLIGHT = 256
/** A check takes 150 ms for its three requests, so many of them have to be under way. */
const CHECKS_IN_FLIGHT = 2_000
const PAYLOAD_BYTES = 56
const REFERENCE = 'the same socket, one constant request, answers counted and not told apart'

type Cost = { perSecond: number; micros: number }

/** Echo requests to the loopback through one socket, and whole checks made of three of them. */
export async function benchEchoes(scope: Scope, options: Options): Promise<Row[]> {
  // The echo sockets do not keep a process alive, and nothing else runs here.
  const alive = setInterval(() => {}, 60_000)
  scope.after(async () => clearInterval(alive))
  const refusal = await withSockets(async (_, opened) => (opened.kind === 'open' ? null : opened.reason))
  if (refusal !== null) {
    progress(`echoes: left out, ${refusal}`)
    return [{ ...alone('Echoes', '', [0]), ours: `not measured: ${refusal}` }]
  }
  const rounds = await measureInTurn('echoes', options, measureEchoes, measureBare)
  progress('echoes: whole checks')
  await measureChecks(1)
  const costs: Cost[] = []
  for (let round = 1; round <= options.rounds; round++) costs.push(await measureChecks(options.roundSeconds))
  const inFlight = CHECKS_IN_FLIGHT.toLocaleString('en-US')
  return [
    compare(
      `Echoes: rate, one socket, ${ECHOES_IN_FLIGHT} under way`,
      '/s',
      REFERENCE,
      pairsOf(rounds, perSecond),
    ),
    compare('Echoes: CPU each', 'µs', REFERENCE, pairsOf(rounds, micros)),
    alone(`ICMP checks, not recorded: rate, ${inFlight} under way`, '/s', costs.map(perSecond)),
    alone('ICMP checks, not recorded: CPU each', 'µs', costs.map(micros)),
  ]
}

const perSecond = (cost: Cost) => cost.perSecond
const micros = (cost: Cost) => cost.micros

/** Sockets for one measurement: raw ones would read what the other measurement's are sent. */
async function withSockets<T>(
  work: (sockets: EchoSockets, opened: Awaited<ReturnType<EchoSockets['open']>>) => Promise<T>,
): Promise<T> {
  const sockets = openEchoSockets()
  try {
    return await work(sockets, await sockets.open(LOOPBACK.family))
  } finally {
    sockets.close()
  }
}

function measureEchoes(seconds: number): Promise<Cost> {
  return withSockets((sockets) =>
    costOf(ECHOES_IN_FLIGHT, seconds, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const sent = sockets.send(LOOPBACK, ({ kind }) =>
        kind === 'answered' ? resolve() : reject(new Error(`an echo request was ${kind}`)),
      )
      if (sent.kind === 'failed') reject(new Error(`an echo request could not be sent: ${sent.code}`))
      return promise
    }),
  )
}

/** The system calls and little else: what arrives lets whoever has waited longest go on. */
async function measureBare(seconds: number): Promise<Cost> {
  const waiting = new Set<() => void>()
  const opened = icmpSocketOpener()(LOOPBACK.family, ({ message }) => {
    const [longest] = waiting
    if (message.kind !== 'reply' || longest === undefined) return
    waiting.delete(longest)
    longest()
  })
  if (opened.kind !== 'open') throw new Error(`a bare socket for echoes: ${opened.reason}`)
  const { socket } = opened
  const echo = { identifier: socket.identifier ?? 0, sequence: 1, payload: Buffer.alloc(PAYLOAD_BYTES) }
  const packet = encodeEchoRequest(LOOPBACK.family, echo)
  try {
    return await costOf(ECHOES_IN_FLIGHT, seconds, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.add(resolve)
      const sent = socket.send(packet, LOOPBACK.address)
      if (sent.kind === 'failed') reject(new Error(`a bare request could not be sent: ${sent.code}`))
      return promise
    })
  } finally {
    socket.close()
  }
}

function measureChecks(seconds: number): Promise<Cost> {
  const resolve = async () => ({ kind: 'addresses' as const, addresses: [LOOPBACK] })
  const settings = settingsFor('icmp', { url: `ping://${LOOPBACK.address}` })
  const never = new AbortController().signal
  return withSockets((sockets) => {
    const probe = createIcmpProbe({ resolve, sockets, now: () => new Date() })
    return costOf(CHECKS_IN_FLIGHT, seconds, async () => {
      const { status, errorMessage } = await probe(settings, never)
      if (status !== 'up') throw new Error(`a check of the loopback was ${status}: ${errorMessage}`)
    })
  })
}

async function costOf(inFlight: number, seconds: number, work: () => Promise<void>): Promise<Cost> {
  const before = cpuMicros(process.pid)
  const { done, perSecond } = await closedLoop(inFlight, seconds, work)
  return { perSecond, micros: (cpuMicros(process.pid) - before) / done }
}
