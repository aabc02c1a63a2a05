import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedServerError } from './error.ts'
import { SYSTEM_ENVIRONMENT } from './system-user.ts'

const run = promisify(execFile)

const POLL_MS = 10
/** A fast shutdown that takes longer becomes an immediate one, followed by recovery from the log. */
const FAST_SHUTDOWN_MS = 20_000
const MAX_SHUTDOWN_MS = 30_000

/**
 * Clears the way for a new server when none is supervised: stops a server that lost its supervisor, and removes a
 * `postmaster.pid` that names an unrelated process (ids are reused). Call only with the start lock held.
 */
export async function clearLeftovers({ cluster }: { cluster: string }): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = await readPid(pidFile)
  if (pid === null) return
  const began = Date.now()
  while (await isServerOf(cluster, pid)) {
    const waited = Date.now() - began
    if (waited > MAX_SHUTDOWN_MS) {
      throw new EmbeddedServerError(
        `An old PostgreSQL server (process ${pid}) of ${cluster} does not stop. Stop it with kill -9 ${pid}.`,
      )
    }
    stop(pid, waited > FAST_SHUTDOWN_MS ? 'SIGQUIT' : 'SIGINT')
    await sleep(POLL_MS)
  }
  await rm(pidFile, { force: true })
}

/** Whether a server of that cluster runs on this machine, no matter what started it. */
export async function isServerRunning(cluster: string): Promise<boolean> {
  const pid = await readPid(join(cluster, 'postmaster.pid'))
  return pid !== null && (await isServerOf(cluster, pid))
}

function stop(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function readPid(pidFile: string): Promise<number | null> {
  const text = await readFile(pidFile, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 1 ? pid : null
}

/** Whether that process is a server of this cluster, which we always pass as an argument. */
async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.split('\0').includes(cluster)
  }
  const listed = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { env: SYSTEM_ENVIRONMENT })
    .then(({ stdout }) => stdout)
    .catch(() => '')
  return listed.includes(` -D ${cluster} `)
}
