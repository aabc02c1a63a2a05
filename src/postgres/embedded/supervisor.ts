import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SYSTEM_ENVIRONMENT } from './identity.ts'
import type { Place } from './place.ts'
import { SERVER_PORT } from './place.ts'

const run = promisify(execFile)

const MAX_LOG_BYTES = 1_048_576

/**
 * The shell that the server lives under. Every Upbeat process holds the FIFO `holders` open for writing;
 * when the last one is gone, however it ended, the read meets the end of file and the server is stopped.
 * Opening for both directions first keeps the shell from waiting for a writer that has died meanwhile.
 * A line in the FIFO is a question whether anybody still listens, answered by a file of that name.
 * SIGINT is repeated, because before the server handles it it is ignored.
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

/** Durability stays as PostgreSQL ships it: fsync, full_page_writes and synchronous_commit are on. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: SERVER_PORT,
  max_connections: 100,
  shared_buffers: '128MB',
  // Containers come with 64 MB of /dev/shm, which a parallel query can exhaust.
  dynamic_shared_memory_type: 'mmap',
  huge_pages: 'off',
  jit: 'off',
  // Bounds what a crash leaves to replay, and so the time to the next start.
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statements (they carry data and grow without bound): only what the server says of itself.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** The FIFO that processes hold, one for the whole life of a runtime directory. */
export async function makeFifo(place: Place, runtime: string): Promise<string> {
  const fifo = join(runtime, 'holders')
  const options = { ...place.owner.credentials, cwd: '/', env: SYSTEM_ENVIRONMENT }
  const entries = await readdir(runtime)
  // What a crashed server leaves: its socket with a lock file, and answers nobody came for.
  for (const entry of entries.filter((name) => name !== 'holders')) await rm(join(runtime, entry))
  if (!entries.includes('holders')) await run('mkfifo', ['-m', '600', fifo], options)
  return fifo
}

/**
 * Starts shell and server in a session of their own, out of reach of a Ctrl-C meant for us.
 * Returns at once; `exited` resolves when the shell has ended.
 */
export function supervise(place: Place, binaries: string, runtime: string): { exited: Promise<void> } {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
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

/** Keeps the last log of a crash, but not for ever. */
function openLog(path: string): number {
  return openSync(path, statSync(path).size > MAX_LOG_BYTES ? 'w' : 'a')
}
