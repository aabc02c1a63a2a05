import { targetHost } from '../core/monitors/target.ts'
import { dial } from '../net/dial.ts'
import { secure } from '../net/tls/tls.ts'
import type { ProbeAttempt } from './attempt.ts'

/** A better error message is not worth a longer wait. */
const TIMEOUT_MS = 1_000

/** Whether the address that an attempt connected to speaks TLS on this port. */
export async function answersTls(
  { network, observed: { address } }: ProbeAttempt,
  url: URL,
  port: number,
  signal: AbortSignal,
): Promise<boolean> {
  const host = targetHost(url)
  if (address === null || host === null) return false
  const end = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const dialed = await dial(network, { kind: 'check', host: address, port }, end)
  if (dialed.kind !== 'connected') return false
  const secured = await secure(network, dialed.socket, { kind: 'check', host, alpn: null }, end)
  if (secured.kind !== 'secured') return false
  secured.socket.destroy()
  return true
}
