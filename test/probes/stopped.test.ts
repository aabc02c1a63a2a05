import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { resetSocket } from '../support/reset-socket.ts'
import { startTcp } from '../support/servers/targets.ts'

const PROBER = join(import.meta.dirname, '../support/probing/stopped-prober.ts')
const LIMIT_SECONDS = 1
/** Longer than everything that a check may take. */
const STOPPED_MS = 2_200 * LIMIT_SECONDS
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

/** How a target treats its connection while the prober is stopped and afterwards, and the result of the check. */
const TARGETS: Record<
  string,
  { meanwhile?: (s: Socket) => void; afterwards?: (s: Socket) => void; found: unknown }
> = {
  'one that answered meanwhile is up': { meanwhile: (socket) => socket.end(OK), found: ['up', null] },
  'one that answers afterwards is up': { afterwards: (socket) => socket.end(OK), found: ['up', null] },
  'one that gave us up is not blamed': {
    meanwhile: (socket) => socket.end(),
    found: ['pending', 'this machine was too busy to judge'],
  },
  'one that reset the connection is not blamed': {
    meanwhile: (socket) => resetSocket(socket),
    found: ['pending', 'this machine was too busy to judge'],
  },
  'one that is silent is down': {
    found: ['down', `no answer within ${LIMIT_SECONDS} s (connected, waiting for the first byte)`],
  },
}

test('checks of a process that is stopped (SIGSTOP) for longer than twice their limit', async (t) => {
  const targets = await Promise.all(
    Object.values(TARGETS).map(async ({ meanwhile, afterwards, found }) => {
      const asked = Promise.withResolvers<Socket>()
      const { port } = await startTcp(t, (socket) => socket.once('data', () => asked.resolve(socket)))
      return { url: `http://127.0.0.1:${port}/`, asked: asked.promise, meanwhile, afterwards, found }
    }),
  )
  const checks = targets.map(({ url }) => ({ url, request_timeout_seconds: LIMIT_SECONDS }))
  const prober = spawn(process.execPath, [PROBER, JSON.stringify(checks)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => void prober.kill('SIGKILL'))
  const printed = text(prober.stdout)
  const sockets = await Promise.all(targets.map(({ asked }) => asked))
  prober.kill('SIGSTOP')
  for (const [i, { meanwhile }] of targets.entries()) meanwhile?.(sockets[i] as Socket)
  await delay(STOPPED_MS)
  prober.kill('SIGCONT')
  for (const [i, { afterwards }] of targets.entries()) afterwards?.(sockets[i] as Socket)
  const found = JSON.parse(await printed)
  for (const [i, name] of Object.keys(TARGETS).entries()) {
    await t.test(name, () => assert.deepEqual(found[i], targets[i]?.found))
  }
})
