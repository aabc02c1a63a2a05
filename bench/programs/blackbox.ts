import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import { openConnection, requestText } from '../support/keep-alive-client.ts'
import { findProgram } from '../support/programs.ts'
import type { Scope } from '../support/scope.ts'

/** The project's name for it, and Debian's. */
const NAMES = ['blackbox_exporter', 'prometheus-blackbox-exporter']

/** A module of its configuration; `options` are those of its prober, as the exporter's documentation names them. */
export type BlackboxModule = {
  prober: 'http' | 'tcp' | 'icmp'
  timeoutSeconds: number
  options: Record<string, unknown>
  /** PEM of the one authority that is trusted in place of the system's. */
  authority?: string
}

export type Blackbox = {
  pid: number
  /** A way to let it check the target once, over one of its connections; true: it finds the target up. */
  prober: (module: string, target: string) => (worker: number) => Promise<boolean>
}

/** The path of the exporter's program; null when it is not installed. */
export function findBlackbox(): string | null {
  return findProgram(NAMES)
}

export async function startBlackbox(
  scope: Scope,
  program: string,
  modules: Record<string, BlackboxModule>,
  workers: number,
): Promise<Blackbox> {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const config = await writeBlackboxConfig(folder, modules)
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
  return {
    pid: child.pid as number,
    prober(module, target) {
      const request = requestText('GET', `/probe?${new URLSearchParams({ module, target })}`, {})
      return async (worker) => {
        const reply = await connections[worker]?.send(request)
        const success = /^probe_success ([01])$/m.exec(unchunked(reply?.body.toString() ?? ''))?.[1]
        if (success === undefined) throw new Error(`the exporter gave no verdict: ${reply?.body}`)
        return success === '1'
      }
    },
  }
}

/** The exporter's text begins with #, its pieces with their lengths in hexadecimal. It is all ASCII. */
function unchunked(body: string): string {
  if (body.startsWith('#')) return body
  let text = ''
  for (let at = 0; at < body.length; ) {
    const start = body.indexOf('\r\n', at) + 2
    const end = start + Number.parseInt(body.slice(at, start), 16)
    text += body.slice(start, end)
    at = end + 2
  }
  return text
}

/** Its path. In JSON, which is YAML, too; authorities become files of their own. */
export async function writeBlackboxConfig(
  folder: string,
  modules: Record<string, BlackboxModule>,
): Promise<string> {
  const written: Record<string, unknown> = {}
  for (const [name, { prober, timeoutSeconds, options, authority }] of Object.entries(modules)) {
    const file = join(folder, `${name}.pem`)
    if (authority !== undefined) await writeFile(file, authority)
    const trust = authority === undefined ? {} : { tls_config: { ca_file: file } }
    written[name] = { prober, timeout: `${timeoutSeconds}s`, [prober]: { ...options, ...trust } }
  }
  const config = join(folder, 'blackbox.yml')
  await writeFile(config, JSON.stringify({ modules: written }))
  return config
}

function closed(connection: { close(): void }): true {
  connection.close()
  return true
}
