import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseSystemUser } from '../../../src/postgres/embedded/system-user.ts'
import { exitOf } from '../exit.ts'
import { freePort } from '../free-port.ts'
import { runProgram } from '../programs.ts'
import type { Scope } from '../scope.ts'
import { until } from '../until.ts'
import type { ExternalServer } from './external-server.ts'

/**
 * A pooler as many have it in front of PostgreSQL, here of one database of the server; returns the address that leads
 * through it.
 */
export async function startPgBouncer(
  scope: Scope,
  server: ExternalServer,
  database: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<string> {
  runProgram('pgbouncer', ['--version'])
  const directory = await mkdtemp(join(tmpdir(), 'upbeat-pgbouncer-'))
  await chmod(directory, 0o711)
  scope.after(() => rm(directory, { recursive: true, force: true }))
  const port = await freePort()
  const { password, username } = new URL(server.url(database))
  const config = [
    '[databases]',
    `${database} = host=127.0.0.1 port=${server.port} user=${username} password='${decodeURIComponent(password)}'`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
  ]
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(file, config.join('\n'))
  // As PostgreSQL, it does not run as root.
  const { credentials } = await chooseSystemUser(null)
  const bouncer = spawn('pgbouncer', ['--quiet', file], { ...credentials, cwd: '/', stdio: 'ignore' })
  scope.after(async () => {
    bouncer.kill('SIGTERM')
    await exitOf(bouncer, 'PgBouncer')
  })
  await until('PgBouncer to listen', () => isListening(port))
  return server.url(database).replace(`:${server.port}/`, `:${port}/`)
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
