import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'

const FREE_PORT = new URL('../support/free-port.ts', import.meta.url).href
/** More than a block, so that each process goes on into the blocks of its neighbours. */
const PORTS = 100
const PROCESSES = 3

const SCRIPT = `
  import { freePort } from '${FREE_PORT}'
  for (let i = 0; i < ${PORTS}; i++) console.log(await freePort())
  process.stdin.resume()`

test('no two processes of tests are given the same port, though nobody listens there any more', async (t) => {
  const given = await Promise.all(Array.from({ length: PROCESSES }, () => portsOf(t)))
  assert.equal(new Set(given.flat()).size, PORTS * PROCESSES)
})

/** It lives until the end of the test: its blocks are its own as long. */
async function portsOf(t: TestContext): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: HANG_GUARD_MS,
    killSignal: 'SIGKILL',
  })
  t.after(() => child.stdin.end())
  const ports: string[] = []
  for await (const port of createInterface(child.stdout)) if (ports.push(port) === PORTS) break
  return ports
}
