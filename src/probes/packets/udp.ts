import { bytesToSend } from '../../core/monitors/options/send.ts'
import { withoutEnd } from '../../core/text.ts'
import type { PacketProtocol } from './by-packets.ts'

/** The bytes of the monitor, and whatever comes back. */
export const UDP: PacketProtocol<'udp'> = {
  name: 'UDP',
  begin: ({ settings: { options } }) => ({
    packet: bytesToSend(options?.send ?? ''),
    read: (bytes) => {
      const answer = withoutEnd(bytes.toString().replaceAll('\r\n', '\n'), '\n')
      return { answer: { fault: null, read: { answer } } }
    },
  }),
}
