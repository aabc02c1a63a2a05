import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import type { Scope } from '../scope.ts'
import { until } from '../until.ts'

/** Starts a broker that is a program, and waits until it accepts connections at a port. */
export async function startProgram(
  scope: Scope,
  [command, ...args]: [string, ...string[]],
  port: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const program = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (piece) => {
      said += piece
    })
  scope.after(async () => {
    program.kill()
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
  })
  await until(`${command} to serve`, async () => {
    assert.equal(program.exitCode, null, said)
    return accepts(port)
  })
}

async function accepts(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  const isTaken = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isTaken
}
