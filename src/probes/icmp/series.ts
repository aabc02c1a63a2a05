import { noRoute, TOO_BUSY } from '../../core/monitors/cause.ts'
import { familyTrouble, ownTrouble } from '../../net/own-trouble.ts'
import type { Address, EchoOutcome, EchoSockets } from './echo.ts'

/** When each echo request of a series is sent, in milliseconds after the first. */
const REQUEST_OFFSETS_MS = [0, 75, 150]
/** How long to wait for the rest of a series once one request has been answered or refused. */
const GRACE_MS = 1_000
/** A send that finds our own buffers full is retried this often and this far apart. */
const MAX_BUSY_RETRIES = 25
const BUSY_RETRY_MS = 20

export const REQUESTS = REQUEST_OFFSETS_MS.length

export type SeriesOutcome =
  | { kind: 'answered'; medianMs: number }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'silent' }
  /** This machine has no way into the address's family, which says nothing about the target. */
  | { kind: 'no way'; reason: string }
  /** This machine cannot send echo requests in the address's family, whatever its network. */
  | { kind: 'absent'; reason: string }
  /** Trouble on our side: the target could not be judged. */
  | { kind: 'trouble'; reason: string }

/**
 * Sends a series of echo requests to one address and summarizes the outcomes once all are in, a grace period after the
 * first outcome, or when `end` aborts. `onSent` is called for each request sent.
 */
export async function sendSeries(
  sockets: EchoSockets,
  target: Address,
  end: AbortSignal,
  onSent: () => void,
): Promise<SeriesOutcome> {
  const opened = await sockets.open(target.family)
  if (opened.kind !== 'open') return opened
  const { droppedArrivals } = await sockets.settle(target.family)
  const tally = await collect(sockets, target, end, onSent)
  return sumUp(tally, target, droppedArrivals)
}

type Tally = {
  answersMs: number[]
  reportedBy: string | null
  sent: number
  failureCode: string | null
  /** Since the socket was opened, as counted by the kernel. */
  droppedArrivals: number
}

function collect(
  sockets: EchoSockets,
  target: Address,
  end: AbortSignal,
  onSent: () => void,
): Promise<Tally> {
  const tally: Tally = { answersMs: [], reportedBy: null, sent: 0, failureCode: null, droppedArrivals: 0 }
  const timers = new Set<NodeJS.Timeout>()
  const cancels: (() => void)[] = []
  let finished = 0
  let isConcluding = false

  return new Promise((resolve, reject) => {
    const conclude = () => {
      if (isConcluding) return
      isConcluding = true
      settleAll().then(resolve, reject)
    }
    const settleAll = async () => {
      for (const timer of timers) clearTimeout(timer)
      end.removeEventListener('abort', conclude)
      // Answers may be waiting unread because our event loop was busy.
      tally.droppedArrivals = (await sockets.settle(target.family)).droppedArrivals
      for (const cancel of cancels) cancel()
      return tally
    }
    const after = (ms: number, act: () => void) => {
      if (!isConcluding) timers.add(setTimeout(act, ms))
    }

    const finish = () => {
      finished += 1
      if (finished === REQUESTS) conclude()
      else if (finished === 1) after(GRACE_MS, conclude)
    }
    const onOutcome = (outcome: EchoOutcome) => {
      if (outcome.kind === 'answered') tally.answersMs.push(outcome.roundTripMs)
      else tally.reportedBy ??= outcome.reportedBy
      finish()
    }
    const send = (retries: number) => {
      const sent = sockets.send(target, onOutcome)
      if (sent.kind === 'sent') {
        tally.sent += 1
        onSent()
        cancels.push(sent.cancel)
        return
      }
      tally.failureCode = sent.code
      if (isBusy(sent.code) && retries > 0) after(BUSY_RETRY_MS, () => send(retries - 1))
      else finish()
    }

    end.addEventListener('abort', conclude, { once: true })
    if (end.aborted) conclude()
    else for (const offset of REQUEST_OFFSETS_MS) after(offset, () => send(MAX_BUSY_RETRIES))
  })
}

function sumUp(tally: Tally, target: Address, droppedBefore: number): SeriesOutcome {
  const { answersMs, reportedBy, failureCode } = tally
  if (answersMs.length > 0) return { kind: 'answered', medianMs: median(answersMs) }
  if (reportedBy !== null) {
    return { kind: 'unreachable', reason: `${target.address} is unreachable (reported by ${reportedBy})` }
  }
  if (tally.sent < REQUESTS) {
    return failureCode === null ? trouble(TOO_BUSY) : sendFailure(failureCode, target.address)
  }
  return tally.droppedArrivals > droppedBefore ? trouble(TOO_BUSY) : { kind: 'silent' }
}

function isBusy(code: string): boolean {
  return code === 'EAGAIN' || code === 'ENOBUFS' || code === 'ENOMEM'
}

function sendFailure(code: string, address: string): SeriesOutcome {
  const familyReason = familyTrouble(code)
  if (familyReason !== null) return { kind: 'no way', reason: familyReason }
  if (code === 'EHOSTUNREACH' || code === 'EHOSTDOWN')
    return { kind: 'unreachable', reason: noRoute([address]) }
  if (code === 'EAGAIN') return trouble('too many echo requests under way')
  if (code === 'EPERM') return trouble(`this machine does not let us ping ${address}`)
  return trouble(ownTrouble(code) ?? `cannot ping ${address} (${code})`)
}

function trouble(reason: string): SeriesOutcome {
  return { kind: 'trouble', reason }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}
