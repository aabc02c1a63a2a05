import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  handOver,
  SYSTEM_ENVIRONMENT,
  type SystemUser,
} from '../../../../src/postgres/embedded/system-user.ts'
import { exitOf } from '../../exit.ts'
import { trySignal } from '../../processes.ts'
import type { Scope } from '../../scope.ts'
import { supervising } from '../../supervising.ts'

/** A program that can be killed and started again. */
export type Daemon = {
  readonly pid: number
  readonly isRunning: boolean
  start(): Promise<void>
  /** Sends a signal that ends it, and waits for that. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** `afterwards` is what a shell does once the program has ended. */
export async function startDaemon(
  scope: Scope,
  owner: SystemUser,
  log: string,
  command: string[],
  environment: Record<string, string> = {},
  afterwards = ':',
): Promise<Daemon> {
  closeSync(openSync(log, 'a'))
  await handOver(owner, log)
  const supervised = supervising(`kill -KILL "$program"; ${afterwards}`)
  let shell: ChildProcess | null = null
  let pid = 0
  const daemon: Daemon = {
    get pid() {
      return pid
    },
    get isRunning() {
      return shell !== null && shell.exitCode === null
    },
    async start() {
      const file = openSync(log, 'a')
      shell = spawn('/bin/sh', ['-c', supervised, 'supervised', ...command], {
        ...owner.credentials,
        cwd: '/',
        env: { ...SYSTEM_ENVIRONMENT, ...environment },
        stdio: ['pipe', 'pipe', file],
      })
      closeSync(file)
      const lines = createInterface({ input: shell.stdout as NodeJS.ReadableStream })
      const [line] = await once(lines, 'line')
      pid = Number(line)
    },
    async end(signal) {
      const ending = shell
      if (!ending || ending.exitCode !== null) return
      const ended = exitOf(ending, 'the daemon')
      trySignal(pid, signal)
      await ended
      ending.stdin?.end()
    },
  }
  await daemon.start()
  scope.after(() => daemon.end('SIGKILL'))
  return daemon
}
