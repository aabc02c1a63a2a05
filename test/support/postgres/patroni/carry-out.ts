import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SYSTEM_ENVIRONMENT } from '../../../../src/postgres/embedded/system-user.ts'
import type { PatroniCluster } from './cluster.ts'
import { documentedCommands } from './documented.ts'
import type { PatroniNode } from './node.ts'

const run = promisify(execFile)

/** Runs the commands of the page that begin so on a machine, line by line; Patroni is started and stopped without systemd. */
export async function carryOut(
  { owner }: PatroniCluster,
  node: PatroniNode,
  begin: string,
  adapt = (commands: string) => commands,
): Promise<void> {
  for (const line of adapt(node.here(documentedCommands(begin)))
    .trimEnd()
    .split('\n')) {
    if (line === 'systemctl stop patroni') await node.stop()
    else if (line === 'systemctl start patroni') await node.start()
    else await run('bash', ['-c', line], { ...owner.credentials, cwd: '/', env: SYSTEM_ENVIRONMENT })
  }
}
