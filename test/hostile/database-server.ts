import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { DatabaseAddress, Host } from '../../src/postgres/database-url.ts'
import { findBinaries } from '../../src/postgres/embedded/binaries.ts'
import { SERVER_USER } from '../../src/postgres/embedded/cluster.ts'
import { chooseSystemUser, handOver } from '../../src/postgres/embedded/system-user.ts'
import { exitOf } from '../support/exit.ts'
import { freePort } from '../support/free-port.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { placeCluster } from '../support/postgres/cluster-template.ts'
import { childrenOf, titleOf } from '../support/processes.ts'
import type { Scope } from '../support/scope.ts'

const run = promisify(execFile)

/** The cluster takes 60 MB, and its log of changes as much again. */
const DISK_BYTES = 400 * 1024 * 1024
/** For the judge, who asks when each transaction ended. */
export const JUDGED_BY = { track_commit_timestamp: 'on' }
const CHUNK_BYTES = 1024 * 1024
const RETRY_MS = 200
/** A server that dies may leave a connection without an answer: another one is tried. */
const MAX_ANSWER_MS = HANG_GUARD_MS / 10

/** PostgreSQL of the run's own, on the loopback: it can be killed, frozen and starved. */
export type DatabaseServer = {
  /** Its database, with no pooler before it. */
  address: DatabaseAddress
  /** Where the processes of the service connect. */
  doors: Host[]
  /** The file system of the data, if it is its own; null otherwise. */
  disk: string | null
  /** Further faults of one that has standbys; null without. */
  cluster: DatabaseCluster | null
  /** Signals the server, without waiting for anything. */
  kill(signal: NodeJS.Signals): void
  /** Every process of it, for signals that must reach them all. */
  pids(): number[]
  /** Those that serve a connection. */
  backends(): number[]
  /** Resolves when it takes connections; starts it anew if it has ended. */
  ensureRunning(): Promise<void>
  /** Resolves when it has recovered so far that it can be broken again. */
  ensureWhole(): Promise<void>
  /** Takes all space there is; what it returns gives it back. Only where there is a `disk`. */
  fillDisk(): Promise<() => Promise<void>>
}

/** Faults of one that has standbys; the function that each returns resolves when writes are taken again. */
export type DatabaseCluster = {
  switchOver(): Promise<() => Promise<void>>
  /** The machine that leads loses its power, but for etcd. */
  killLeader(): Promise<() => Promise<void>>
  /** It stands still until another one leads. */
  freezeLeader(): Promise<() => Promise<void>>
  /** The standby that has everything stands still: nothing is committed until it goes on, or another takes its place. */
  freezeStandby(): Promise<() => Promise<void>>
}

/** With `ownDisk` the data lies on a small file system in memory, which only root can make. */
export async function startDatabaseServer(scope: Scope, ownDisk: boolean): Promise<DatabaseServer> {
  const root = await mkdtemp(join(tmpdir(), 'upbeat-hostile-'))
  await chmod(root, 0o711)
  scope.after(() => rm(root, { recursive: true, force: true }))
  const disk = join(root, 'disk')
  await mkdir(disk, { mode: 0o711 })
  if (ownDisk) {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=711`, 'tmpfs', disk])
    scope.after(async () => void (await run('umount', ['--lazy', disk])))
  }
  await placeCluster(disk)
  const cluster = join(disk, 'postgres')
  const owner = await chooseSystemUser(await stat(cluster))
  const binaries = await findBinaries(owner, disk)
  const sockets = join(root, 'sockets')
  await mkdir(sockets)
  await handOver(owner, sockets)
  const port = await freePort()
  let server: ChildProcess | null = null

  function start(): ChildProcess {
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: sockets,
      max_connections: 200,
      dynamic_shared_memory_type: 'mmap',
      max_wal_size: '96MB',
      min_wal_size: '32MB',
      timezone: 'UTC',
      ...JUDGED_BY,
      log_min_messages: 'panic',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    return spawn(join(binaries, 'bin/postgres'), ['-D', cluster, ...args], {
      ...owner.credentials,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: 'ignore',
    })
  }

  async function ensureRunning() {
    const deadline = Date.now() + HANG_GUARD_MS
    while (!(await answers(port))) {
      if (Date.now() > deadline) throw new Error('the database does not come back')
      // One that was killed leaves children, which keep a new one from starting until they have noticed.
      if (!server || hasEnded(server)) server = start()
      await delay(RETRY_MS)
    }
  }

  scope.after(async () => {
    if (!server || hasEnded(server)) return
    const exited = exitOf(server, 'the database')
    server.kill('SIGCONT')
    server.kill('SIGQUIT')
    await exited
  })
  await ensureRunning()

  const pids = () =>
    server?.pid === undefined || hasEnded(server) ? [] : [server.pid, ...childrenOf(server.pid)]
  const host = { host: '127.0.0.1', port }
  return {
    address: { ...host, user: SERVER_USER, database: 'upbeat' },
    doors: [host],
    disk: ownDisk ? disk : null,
    cluster: null,
    kill: (signal) => void server?.kill(signal),
    pids,
    backends: () => pids().filter((pid) => /^postgres: \w+ \w+ 127\.0\.0\.1/.test(titleOf(pid))),
    ensureRunning,
    ensureWhole: ensureRunning,
    async fillDisk() {
      const ballast = join(disk, 'ballast')
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const { bavail, bsize } = await statfs(disk)
      await appendAll(ballast, chunk, Math.ceil((bavail * bsize) / CHUNK_BYTES))
      return () => rm(ballast, { force: true })
    },
  }
}

async function appendAll(path: string, chunk: Buffer, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    try {
      await appendFile(path, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SERVER_USER,
    database: 'upbeat',
    connectionTimeoutMillis: MAX_ANSWER_MS,
    query_timeout: MAX_ANSWER_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    void client.end().catch(() => {})
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
