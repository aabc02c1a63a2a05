import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '../test/support/service.ts'
import { until } from '../test/support/until.ts'
import { openConnection, requestText } from './keep-alive-client.ts'
import type { Scope } from './scope.ts'

/** The project's name for it, and Debian's. */
const NAMES = ['blackbox_exporter', 'prometheus-blackbox-exporter']
const CONFIG = 'modules: { check: { prober: http, timeout: 30s, http: { preferred_ip_protocol: ip4 } } }\n'

/** The path of the exporter's program; null when it is not installed. */
export function findBlackbox(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable) ?? null
}

export type Blackbox = {
  pid: number
  /** Lets it check the target once. */
  probe: (worker: number) => Promise<void>
}

export async function startBlackbox(
  scope: Scope,
  program: string,
  target: string,
  workers: number,
): Promise<Blackbox> {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const config = join(folder, 'blackbox.yml')
  await writeFile(config, CONFIG)
  const port = await freePort()
  const child = spawn(program, [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  })
  scope.after(async () => {
    const exited = once(child, 'exit')
    if (child.kill()) await exited
  })
  await until('the exporter answers', () => openConnection(port).then(closed, () => false))
  const connections = await Promise.all(Array.from({ length: workers }, () => openConnection(port)))
  scope.after(async () => connections.forEach((connection) => void connection.close()))
  const request = requestText('GET', `/probe?module=check&target=${encodeURIComponent(target)}`, {})
  return {
    pid: child.pid as number,
    async probe(worker) {
      const reply = await connections[worker]?.send(request)
      if (!reply?.body.includes('probe_success 1')) throw new Error('the exporter found the target down')
    },
  }
}

function closed(connection: { close(): void }): true {
  connection.close()
  return true
}

function isExecutable(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
