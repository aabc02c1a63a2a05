import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'

const RESET = new URL('../support/reset-socket.ts', import.meta.url).href

/** A process whose one connection is reset in the turn in which its own end began. */
const SCRIPT = `
  import net from 'node:net'
  import { resetSocket } from '${RESET}'
  const server = net.createServer((near) => {
    near.on('error', () => {}).end()
    process.nextTick(() => {
      resetSocket(near)
      far.destroy()
      server.close()
    })
  }).listen(0, '127.0.0.1', () => {
    far = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
  })
  let far`

test('a process that reset a connection which was about to end comes to its own end', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: 'ignore',
    timeout: HANG_GUARD_MS,
    killSignal: 'SIGKILL',
  })
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
