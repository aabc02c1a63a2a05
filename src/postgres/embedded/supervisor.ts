import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerPlace } from './place.ts'
import { SERVER_PORT } from './place.ts'
import { SYSTEM_ENVIRONMENT } from './system-user.ts'

const run = promisify(execFile)

const MAX_LOG_BYTES = 1_048_576

/**
 * The shell that supervises the server. Every Upbeat process holds the FIFO `holders` open for writing; when
 * the last one closes it or dies, the read reaches end of file and the server is stopped. Opening it in both
 * directions first keeps the shell from blocking on a writer that has died. Each line in the FIFO asks
 * whether the supervisor is listening, and is answered by creating a file of that name. SIGINT is repeated,
 * because the server ignores it until its handler is installed.
 */
const SUPERVISE = `
trap '' HUP INT TERM
runtime=$1; shift
exec 3<>"$runtime/holders" 4<"$runtime/holders" 3>&-
"$@" 4<&- &
server=$!
(
  while read -r question <&4; do : >"$runtime/$question"; done
  : >"$runtime/closing"
  while kill -INT "$server" 2>/dev/null; do sleep 1 4<&-; done
) &
watcher=$!
wait "$server"
kill -KILL "$watcher" 2>/dev/null
[ -e "$runtime/closing" ] && rm -rf "$runtime"
`

/**
 * Durability keeps PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on. Benchmarks of large
 * installations change some before they start a server.
 */
export const SERVER_SETTINGS: Record<string, string | number> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: SERVER_PORT,
  max_connections: 100,
  shared_buffers: '128MB',
  // Containers have 64 MB of /dev/shm, which a parallel query can exhaust.
  dynamic_shared_memory_type: 'mmap',
  huge_pages: 'off',
  jit: 'off',
  // Three processes that read ahead for others would be there all the time; the kernel does that, too.
  io_method: 'sync',
  // Limits crash recovery, and so the time until the next start.
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The server's own messages only: statements contain data and would grow without bound.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** Creates the FIFO that processes hold, once per runtime directory. */
export async function makeFifo(place: ServerPlace, runtime: string): Promise<string> {
  const fifo = join(runtime, 'holders')
  const options = { ...place.owner.credentials, cwd: '/', env: SYSTEM_ENVIRONMENT }
  const entries = await readdir(runtime)
  // Remains of a crashed server: its socket with a lock file, and unread answers.
  for (const entry of entries.filter((name) => name !== 'holders')) await rm(join(runtime, entry))
  if (!entries.includes('holders')) await run('mkfifo', ['-m', '600', fifo], options)
  return fifo
}

/**
 * Starts shell and server in their own session, out of reach of Ctrl-C. Returns at once; `exited` resolves
 * when the shell has ended.
 */
export function supervise(place: ServerPlace, binaries: string, runtime: string): { exited: Promise<void> } {
  const settings = Object.entries(SERVER_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(binaries, 'bin/postgres'), '-D', place.cluster, ...settings]
  const log = openLog(place.log)
  try {
    const shell = spawn('/bin/sh', ['-c', SUPERVISE, 'upbeat-postgres', runtime, ...server, '-k', runtime], {
      ...place.owner.credentials,
      cwd: '/',
      env: SYSTEM_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', 'ignore', log],
    })
    shell.unref()
    const exited = new Promise<void>((resolve) => {
      shell.once('exit', () => resolve())
      shell.once('error', () => resolve())
    })
    return { exited }
  } finally {
    closeSync(log)
  }
}

/** Keeps the log of the last crash, but starts over when it gets large. */
function openLog(path: string): number {
  return openSync(path, statSync(path).size > MAX_LOG_BYTES ? 'w' : 'a')
}
