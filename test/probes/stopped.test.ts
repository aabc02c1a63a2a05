import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { resetSocket } from '../support/reset-socket.ts'
import { startTcp } from '../support/servers/targets.ts'

const PROBER = join(import.meta.dirname, '../support/probing/stopped-prober.ts')
const LIMIT_SECONDS = 1
/** Longer than everything that a check may take. */
const STOPPED_MS = 2_200 * LIMIT_SECONDS
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

const PONG = {
  send: 'ping',
  assertions: [{ source: 'answer', comparison: 'equals', target: 'pong', severity: 'down' }],
}

type Peer = { say(text: string): void; hangUp(): void; reset(): void }

/** How checks of each type are led to a port. */
const SETTINGS = {
  http: (port: number) => ({ url: `http://127.0.0.1:${port}/` }),
  ssh: (port: number) => ({ url: `ssh://127.0.0.1:${port}` }),
  tcp: (port: number) => ({ url: 'tcp://127.0.0.1', port, options: PONG }),
  udp: (port: number) => ({ url: 'udp://127.0.0.1', port, options: PONG }),
}

const BUSY = ['pending', 'this machine was too busy to judge']
const SILENT = ['down', `no answer within ${LIMIT_SECONDS} s (connected, waiting for the first byte)`]
const BANNER = 'SSH-2.0-OpenSSH_9.2\r\n'

/** How a target treats its connection while the prober is stopped and afterwards, and the result of the check. */
const TARGETS: Record<
  string,
  {
    type?: keyof typeof SETTINGS
    meanwhile?: (peer: Peer) => void
    afterwards?: (peer: Peer) => void
    found: unknown
  }
> = {
  'one that answered meanwhile is up': {
    meanwhile: (peer) => {
      peer.say(OK)
      peer.hangUp()
    },
    found: ['up', null],
  },
  'one that answers afterwards is up': { afterwards: (peer) => peer.say(OK), found: ['up', null] },
  'one that gave us up is not blamed': { meanwhile: (peer) => peer.hangUp(), found: BUSY },
  'one that reset the connection is not blamed': { meanwhile: (peer) => peer.reset(), found: BUSY },
  'one that is silent is down': { found: SILENT },
  'a server that greeted meanwhile is up': {
    type: 'ssh',
    meanwhile: (peer) => peer.say(BANNER),
    found: ['up', null],
  },
  'a server that gave us up before its greeting is not blamed': {
    type: 'ssh',
    meanwhile: (peer) => peer.hangUp(),
    found: BUSY,
  },
  'a server that does not greet is down': { type: 'ssh', found: SILENT },
  'a port that answered meanwhile is up': {
    type: 'tcp',
    meanwhile: (peer) => peer.say('pong'),
    found: ['up', null],
  },
  'a port that reset the connection is not blamed': {
    type: 'tcp',
    meanwhile: (peer) => peer.reset(),
    found: BUSY,
  },
  'a packet that was answered meanwhile is up': {
    type: 'udp',
    meanwhile: (peer) => peer.say('pong'),
    found: ['up', null],
  },
  'a packet that is not answered is down': { type: 'udp', found: SILENT },
}

/** A target of a type, and whoever checks it once the target was asked. */
async function start(
  t: TestContext,
  type: keyof typeof SETTINGS,
): Promise<{ port: number; asked: Promise<Peer> }> {
  const asked = Promise.withResolvers<Peer>()
  if (type === 'udp') {
    const socket = dgram.createSocket('udp4')
    socket.once('message', (_, { port, address }) => {
      const say = (text: string) => socket.send(text, port, address)
      asked.resolve({ say, hangUp: () => {}, reset: () => {} })
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    t.after(() => socket.close())
    return { port: socket.address().port, asked: asked.promise }
  }
  const { port } = await startTcp(t, (socket) => {
    const peer = {
      say: (text: string) => void socket.write(text),
      hangUp: () => void socket.end(),
      reset: () => resetSocket(socket),
    }
    if (type === 'ssh') asked.resolve(peer)
    else socket.once('data', () => asked.resolve(peer))
  })
  return { port, asked: asked.promise }
}

test('checks of a process that is stopped (SIGSTOP) for longer than twice their limit', async (t) => {
  const targets = await Promise.all(
    Object.values(TARGETS).map(async ({ type = 'http', ...target }) => {
      const { port, asked } = await start(t, type)
      return { settings: { type, ...SETTINGS[type](port) }, asked, ...target }
    }),
  )
  const checks = targets.map(({ settings }) => ({ ...settings, request_timeout_seconds: LIMIT_SECONDS }))
  const prober = spawn(process.execPath, [PROBER, JSON.stringify(checks)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => void prober.kill('SIGKILL'))
  const printed = text(prober.stdout)
  const peers = await Promise.all(targets.map(({ asked }) => asked))
  prober.kill('SIGSTOP')
  for (const [i, { meanwhile }] of targets.entries()) meanwhile?.(peers[i] as Peer)
  await delay(STOPPED_MS)
  prober.kill('SIGCONT')
  for (const [i, { afterwards }] of targets.entries()) afterwards?.(peers[i] as Peer)
  const found = JSON.parse(await printed)
  for (const [i, name] of Object.keys(TARGETS).entries()) {
    await t.test(name, () => assert.deepEqual(found[i], targets[i]?.found))
  }
})
