import assert from 'node:assert/strict'
import type { Socket as PacketSocket } from 'node:dgram'
import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { startEcho } from '../../support/line-servers/echo.ts'
import { speakFtp } from '../../support/line-servers/ftp.ts'
import { speakImap } from '../../support/line-servers/imap.ts'
import { type Step, startLineServer } from '../../support/line-servers/line-server.ts'
import { speakPop3 } from '../../support/line-servers/pop3.ts'
import { speakSmtp } from '../../support/line-servers/smtp.ts'
import { speakSsh } from '../../support/line-servers/ssh.ts'
import { nextConnection } from '../../support/servers/client-events.ts'
import { startTcp } from '../../support/servers/targets.ts'
import { check } from '../../support/servers/targets-settings.ts'

/** Answers of the system when this machine lacks something, or its network is gone, by what they are told as. */
const OURS = {
  EMFILE: 'out of file descriptors',
  ENOBUFS: 'out of network buffers',
  ENOMEM: 'out of memory',
  ENETDOWN: 'no network here',
  ENETUNREACH: 'no network here',
}
const SPEAK = { smtp: speakSmtp, imap: speakImap, pop3: speakPop3, ftp: speakFtp, ssh: speakSsh }
type Type = keyof typeof SPEAK

const USER = { name: 'watcher', password: 'sesame-7' }
const SIGNED_IN = { username: USER.name, password: USER.password, options: { security: 'none' } } as const
const PONG: MonitorOptions = {
  send: 'ping',
  assertions: [{ source: 'answer', comparison: 'equals', target: 'pong', severity: 'down' }],
}

/** The steps at which a server falls silent, with the protocols that have them. */
const MOMENTS: [step: Step, types: Type[]][] = [
  ['greeting', ['smtp', 'imap', 'pop3', 'ftp', 'ssh']],
  ['ask', ['smtp', 'imap', 'pop3', 'ftp']],
  ['sign-in', ['smtp', 'imap', 'pop3', 'ftp']],
]

/** As Node does when the system refuses to read or to write. */
const failing = (code: string) => Object.assign(new Error(`read ${code}`), { code, syscall: 'read' })
const breakOff = (socket: Socket, code: string) => void socket.destroy(failing(code))

/** Whether a check is `pending` with the reason for each trouble of ours, and `down` where the target breaks off. */
async function assertOurs(
  checkBrokenBy: (code: string) => ReturnType<typeof check>,
  theirs: string,
  ours: Record<string, string> = OURS,
) {
  for (const [code, reason] of Object.entries(ours)) {
    const { status, errorMessage } = await checkBrokenBy(code)
    assert.deepEqual([status, errorMessage], ['pending', reason], code)
  }
  assert.equal((await checkBrokenBy(theirs)).status, 'down', theirs)
}

describe('a talk that breaks because of us', () => {
  for (const [step, types] of MOMENTS)
    for (const type of types)
      test(`before the answer to the step ${step}: ${type} is pending, and down where the server breaks off`, async (t) => {
        await assertOurs(async (code) => {
          const server = await startLineServer(t, SPEAK[type], { user: USER, instead: { [step]: 'silence' } })
          const connected = nextConnection()
          const checked = check(type, { url: `${type}://127.0.0.1:${server.port}`, ...SIGNED_IN })
          const socket = await connected
          await server.reached
          breakOff(socket, code)
          return checked
        }, 'ECONNRESET')
      })

  test('after it has sent something to a port: tcp is pending, and down where the port breaks off', async (t) => {
    await assertOurs(async (code) => {
      const asked = Promise.withResolvers<void>()
      const { port } = await startTcp(t, (socket) => socket.once('data', () => asked.resolve()))
      const connected = nextConnection()
      const checked = check('tcp', { url: 'tcp://127.0.0.1', port, options: PONG })
      const socket = await connected
      await asked.promise
      breakOff(socket, code)
      return checked
    }, 'ECONNRESET')
  })

  test('after it has sent a packet: udp is pending, and down where nothing listens', async (t) => {
    // While this machine has a route, a router on the way has said that there is none.
    const { ENETUNREACH: _, ...ours } = OURS
    const breakBy = async (code: string) => {
      const heard = Promise.withResolvers<void>()
      const { port } = await startEcho(t, () => {
        heard.resolve()
        return null
      })
      const opened = nextPacketSocket(port)
      const checked = check('udp', { url: 'udp://127.0.0.1', port, options: PONG })
      const socket = await opened
      await heard.promise
      socket.emit('error', failing(code))
      return checked
    }
    await assertOurs(breakBy, 'ECONNREFUSED', ours)
    assert.equal((await breakBy('ENETUNREACH')).errorMessage, 'no route to 127.0.0.1')
  })
})

/** The next socket of UDP of this process that is connected to a port. */
function nextPacketSocket(port: number): Promise<PacketSocket> {
  return new Promise((resolve) => {
    const hear = (message: unknown) => {
      const { socket } = message as { socket: PacketSocket }
      socket.once('connect', () => {
        if (socket.remoteAddress().port !== port) return
        diagnostics.unsubscribe('udp.socket', hear)
        resolve(socket)
      })
    }
    diagnostics.subscribe('udp.socket', hear)
  })
}
