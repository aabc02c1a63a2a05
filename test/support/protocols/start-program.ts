import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Scope } from '../scope.ts'
import { until } from '../until.ts'

type How = { env?: Record<string, string>; isReady: () => Promise<boolean> }

/** Starts a server in the foreground, and waits until it serves; it ends with the scope. */
export async function startProgram(
  scope: Scope,
  command: string,
  args: readonly string[],
  { env = {}, isReady }: How,
): Promise<void> {
  const server = spawn(command, args, {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (piece) => {
      said = (said + piece).slice(-4_000)
    })
  scope.after(async () => {
    if (server.exitCode !== null) return
    server.kill()
    await once(server, 'exit')
  })
  await until(`${command} to serve`, async () => {
    assert.equal(server.exitCode, null, said)
    return isReady()
  })
}
