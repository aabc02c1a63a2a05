import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../../../../src/postgres/database-url.ts'
import { handOver } from '../../../../src/postgres/embedded/system-user.ts'
import { runProgram } from '../../programs.ts'
import type { Scope } from '../../scope.ts'
import { until } from '../../until.ts'
import { isListening } from '../pgbouncer.ts'
import type { PatroniCluster } from './cluster.ts'
import { startDaemon } from './daemon.ts'
import { documentedFile } from './documented.ts'

/** PgBouncer before the cluster, with HAProxy to find the leader for it, as the page installs them beside Upbeat. */
export async function startPooler(scope: Scope, cluster: PatroniCluster): Promise<Host> {
  runProgram('haproxy', ['-v'])
  runProgram('pgbouncer', ['--version'])
  const { owner, directory, here } = cluster
  const folder = join(directory, 'pooler')
  await mkdir(folder, { mode: 0o700 })
  await handOver(owner, folder)
  const place = async (path: string) => {
    const file = join(folder, path.split('/').at(-1) as string)
    await writeFile(file, here(documentedFile(path)).replaceAll('/etc/pgbouncer', folder), { mode: 0o600 })
    await handOver(owner, file)
    return file
  }
  const proxies = await place('/etc/haproxy/haproxy.cfg')
  await startDaemon(scope, owner, join(folder, 'haproxy.log'), ['haproxy', '-db', '-f', proxies])
  await place('/etc/pgbouncer/userlist.txt')
  const settings = await place('/etc/pgbouncer/pgbouncer.ini')
  await startDaemon(scope, owner, join(folder, 'pgbouncer.log'), ['pgbouncer', settings])
  const door = { host: '127.0.0.1', port: Number(here('6432')) }
  await until('PgBouncer to listen', () => isListening(door.port))
  return door
}
