import type { SeenEncryption, TriedAddress } from '../../core/monitors/incidents/target-look.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { dial } from '../../net/dial.ts'
import type { Network } from '../../net/network.ts'
import { secure } from '../../net/tls/tls.ts'
import type { DialWay } from '../../net/way.ts'
import { readEncryption } from '../sites/chain.ts'
import { tlsTermsOf } from '../way.ts'

/** Tries a connection to each address, all at once. They are judged once more as they are dialled. */
export function tryAddresses(
  network: Network,
  { addresses, port, way }: { addresses: readonly string[]; port: number; way: DialWay },
  signal: AbortSignal,
): Promise<TriedAddress[]> {
  return Promise.all(
    addresses.map(async (address): Promise<TriedAddress> => {
      const dialed = await dial(network, { kind: 'check', host: address, port, way }, signal)
      if (dialed.kind === 'connected') {
        dialed.socket.destroy()
        return { address, ms: dialed.connectMs, reason: null, isOurs: false }
      }
      const reason = signal.aborted ? 'no answer' : dialed.reason
      return { address, ms: null, reason, isOurs: dialed.kind === 'inconclusive' }
    }),
  )
}

/** TLS from the first byte on with the whole chain, trusted or not. Null where no connection comes about. */
export async function lookAtTls(
  network: Network,
  settings: ProbeSettings,
  { host, port, way }: { host: string; port: number; way: DialWay },
  signal: AbortSignal,
): Promise<SeenEncryption | null> {
  const dialed = await dial(network, { kind: 'check', host, port, way }, signal)
  if (dialed.kind !== 'connected') return null
  const at = way.tunnel ? { address: dialed.address, port } : undefined
  const target = { kind: 'check' as const, host, alpn: null, terms: tlsTermsOf(settings), way, at }
  const secured = await secure(network, dialed.socket, target, signal)
  const seen = readEncryption(secured, signal)
  if (secured.kind === 'secured') secured.socket.destroy()
  return seen
}
