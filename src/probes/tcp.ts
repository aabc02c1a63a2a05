import { parseTarget } from '../core/monitors/target.ts'
import type { Network } from '../net/network.ts'
import { answered, attempt } from './attempt.ts'
import { connect } from './connect.ts'
import type { Probe } from './probe.ts'

/** Up when the port accepts a connection. */
export function createTcpProbe(network: Network): Probe<'tcp'> {
  return (settings, signal) =>
    attempt(network, settings, signal, async (current) => {
      const url = parseTarget(settings.url)
      const connected = await connect(current, {
        kind: 'check',
        url,
        port: settings.port ?? Number(url?.port),
      })
      if (connected.kind === 'ended') return connected.result
      connected.socket.destroy()
      return answered(current, null)
    })
}
