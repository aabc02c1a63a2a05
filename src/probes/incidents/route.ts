import type { TracedHop, TracedRoute } from '../../core/monitors/incidents/target-look.ts'
import { isPrivateAddress } from '../../net/address-policy.ts'
import type { EchoSockets } from '../icmp/echo.ts'

/** Few ways on the internet are longer; behind a silent target nothing answers any more. */
const MAX_HOPS = 24
/** How long answers are waited for once all requests are sent. */
const WAIT_MS = 2_000

/**
 * Sends echo requests with rising hop limits to an address that the policy allows (RFC 792, RFC 4443: time exceeded). Each router that a
 * request ends at tells itself. Addresses of an inner network are left out on the way to a public target: they are ours.
 */
export async function traceRoute(
  sockets: EchoSockets,
  address: string,
  signal: AbortSignal,
): Promise<TracedRoute> {
  const family = address.includes(':') ? (6 as const) : (4 as const)
  const opened = await sockets.open(family)
  if (opened.kind !== 'open') return { kind: 'not asked', reason: opened.reason }
  const hops: (TracedHop & { isTarget: boolean })[] = []
  const cancels: (() => void)[] = []
  const ended = Promise.withResolvers<void>()
  const timer = setTimeout(ended.resolve, WAIT_MS)
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  if (signal.aborted) ended.resolve()
  let failure: string | null = null
  for (let distance = 1; distance <= MAX_HOPS && failure === null; distance++) {
    const sentAt = performance.now()
    const sent = sockets.send(
      { address, family },
      (outcome) => {
        const isTarget = outcome.kind === 'answered'
        const ms = isTarget ? outcome.roundTripMs : performance.now() - sentAt
        hops[distance - 1] = { address: isTarget ? address : outcome.reportedBy, ms, isTarget }
        // All nearer ones have had their time: answers of the way come before those of its end.
        if (isTarget) setTimeout(ended.resolve, Math.min(WAIT_MS, 2 * ms + 100))
      },
      distance,
    )
    if (sent.kind === 'failed') failure = sent.code
    else cancels.push(sent.cancel)
  }
  if (cancels.length > 0) await ended.promise
  clearTimeout(timer)
  for (const cancel of cancels) cancel()
  if (failure !== null && cancels.length === 0)
    return { kind: 'not asked', reason: `echo requests cannot be sent from here (${failure})` }
  return told(hops, address, cancels.length)
}

function told(found: (TracedHop & { isTarget: boolean })[], target: string, asked: number): TracedRoute {
  const end = found.findIndex((hop) => hop?.isTarget)
  const upTo = end >= 0 ? end + 1 : beforeRepeats(found)
  const showsInner = isPrivateAddress(target)
  const hops = Array.from({ length: upTo }, (_, index): TracedHop => {
    const hop = found[index]
    if (!hop?.address) return { address: null, ms: null }
    const { address, ms } = hop
    return { address: showsInner || !isPrivateAddress(address) ? address : 'inner', ms }
  })
  return { kind: 'asked', hops, isReached: end >= 0, asked }
}

/** A router that has no way further says so to every request that comes to it: it is told once. */
function beforeRepeats(found: readonly TracedHop[]): number {
  let length = found.length
  while (
    length > 1 &&
    found[length - 1]?.address &&
    found[length - 1]?.address === found[length - 2]?.address
  )
    length--
  return length
}
