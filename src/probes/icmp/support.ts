import type { IpFamily } from './packet.ts'
import { icmpSocketOpener, type OpenIcmpSocket } from './socket.ts'

type Mode = 'dgram' | 'raw' | 'none'

export type IcmpSupport = {
  v4: Mode
  v6: Mode
  /** Explains what is missing and how to allow it; null when nothing is missing. */
  reason: string | null
}

/** The ICMP sockets that this process may open, for `upbeat doctor`. Opens and closes one per family. */
export function icmpSupport(openSocket: OpenIcmpSocket = icmpSocketOpener()): IcmpSupport {
  const reasons = new Set<string>()
  const modeOf = (family: IpFamily): Mode => {
    const opened = openSocket(family, () => {})
    if (opened.kind === 'open') {
      opened.socket.close()
      return opened.socket.mode
    }
    reasons.add(opened.isForbidden ? `${opened.reason}. ${howToAllow()}` : opened.reason)
    return 'none'
  }
  const [v4, v6] = [modeOf(4), modeOf(6)]
  return { v4, v6, reason: reasons.size > 0 ? [...reasons].join('; ') : null }
}

/** File capabilities come second: they make Node.js ignore NODE_EXTRA_CA_CERTS. */
function howToAllow(): string {
  return (
    'To allow it, run as root: sysctl -w net.ipv4.ping_group_range="0 2147483647" ' +
    `(or: setcap cap_net_raw+ep ${process.execPath}, which makes Node.js ignore NODE_EXTRA_CA_CERTS)`
  )
}
