import type { TLSSocket } from 'node:tls'
import type { CheckResult } from '../../core/monitors/check.ts'
import { parseTarget } from '../../core/monitors/target.ts'
import type { ShownCertificate } from '../../core/sites/shown-site.ts'
import type { Network } from '../../net/network.ts'
import { answered, attempt } from '../attempt.ts'
import { connectSecurely } from '../connect.ts'
import type { Probe } from '../probe.ts'
import { readChain } from './chain.ts'

const HTTPS_PORT = 443

/** A result with the chain that the server showed; empty for one that is refused. */
export type ChainResult = CheckResult & { chain?: ShownCertificate[] }

/** The probe of certificates, which keeps the whole chain. */
export function createChainProbe(network: Network): Probe<'ssl'> {
  return (settings, signal) =>
    attempt(network, settings, signal, async (current): Promise<ChainResult> => {
      const url = parseTarget(settings.url)
      const connected = await connectSecurely(
        current,
        { kind: 'check', url, port: Number(url?.port || HTTPS_PORT) },
        null,
      )
      if (connected.kind === 'ended') return connected.result
      const chain = readChain(connected.socket as TLSSocket)
      connected.socket.destroy()
      return { ...answered(current, null), chain }
    })
}
