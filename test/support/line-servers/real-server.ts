import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import type { Scope } from '../scope.ts'
import type { ServerCertificate } from '../servers/certificates.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'

/** A folder with a certificate, which servers that give up their privileges may enter. */
export function serverFolder(scope: Scope, { cert, key }: ServerCertificate): string {
  const folder = temporaryFolder(scope)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  return folder
}

/** Starts a server in the foreground, as a process of the test alone; resolves once it accepts connections at all of its ports. */
export async function startRealServer(
  scope: Scope,
  [program = '', ...args]: string[],
  ports: readonly number[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const server = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (piece) => {
      said += piece
    })
  scope.after(async () => {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  })
  for (const port of ports)
    await until(`${program} to serve`, async () => {
      assert.equal(server.exitCode, null, said)
      return accepts(port)
    })
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => end(true))
    const end = (isTaken: boolean) => {
      socket.destroy()
      resolve(isTaken)
    }
    socket.once('error', () => end(false))
  })
}
