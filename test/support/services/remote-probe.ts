import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ENTRY, FLAGS } from '../entry.ts'
import { inheritedEnvironment } from '../environment.ts'
import { exitOf } from '../exit.ts'
import type { Scope } from '../scope.ts'
import { until } from '../until.ts'

/** A remote probe as a process of its own. */
export type RemoteProbe = {
  readonly pid: number
  output(): string
  /** Where it listens; resolves once it does. */
  url(): Promise<string>
  /** Ends it by a signal, or waits until it ends by itself; resolves to its exit status. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export function startRemoteProbe(scope: Scope, environment: Record<string, string>): RemoteProbe {
  const child = spawn(process.execPath, [...FLAGS, ENTRY, 'serve'], {
    env: { ...inheritedEnvironment(), ROLES: 'probe', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      printed += `${line}\n`
    })
  }
  const probe: RemoteProbe = {
    pid: child.pid ?? 0,
    output: () => printed,
    url: () =>
      until('the port of the probe', () => {
        const port = /"port":(\d+)/.exec(printed)?.[1]
        return port !== undefined && `http://127.0.0.1:${port}`
      }),
    async end(signal) {
      if (signal) child.kill(signal)
      const [status] = await exitOf(child, 'the remote probe', () => printed)
      return status
    },
  }
  scope.after(async () => void (await probe.end('SIGKILL')))
  return probe
}
