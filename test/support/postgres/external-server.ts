import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from '../../../src/postgres/embedded/binaries.ts'
import {
  chooseSystemUser,
  handOver,
  SYSTEM_ENVIRONMENT,
  type SystemUser,
} from '../../../src/postgres/embedded/system-user.ts'
import { exitOf } from '../exit.ts'
import { freePort } from '../free-port.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import type { Scope } from '../scope.ts'
import { type Authority, createAuthority } from '../servers/certificates.ts'
import { supervising } from '../supervising.ts'
import { until } from '../until.ts'
import { askOnce } from './ask-once.ts'
import { placeCluster } from './cluster-template.ts'

const run = promisify(execFile)

/** With every character that an address must write otherwise. */
const PASSWORD = 'p@ss w/o:?#%&'
const USER = 'app'

const SUPERVISE = supervising('kill -QUIT "$program"')

const HBA = `
local all all trust
host replication all 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`

export type ExternalServer = {
  port: number
  /** The process that lets connections in. */
  readonly pid: number
  /** The file of the authority that its certificate is from; the certificate is for localhost alone. */
  rootCert: string
  /** Runs statements as superuser; in the database `postgres` unless another one is named. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of any statement
  admin(sql: string, database?: string): Promise<any[]>
  /** Makes an empty database for the user of `url`; `options` follow CREATE DATABASE. */
  createDatabase(name: string, options?: string): Promise<void>
  url(database: string, query?: string): string
  /** SIGINT ends its connections and stops in order, SIGKILL is a crash. */
  stop(signal: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  /** A second server that follows this one, which is stopped for a moment. */
  addStandby(): Promise<ExternalServer>
}

let shared: Promise<ExternalServer> | undefined

/** One that the files of a process share: databases are made there, nothing is stopped. */
export function externalServer(): Promise<ExternalServer> {
  shared ??= startExternalServer({ after: (close) => void closers.push(close) })
  return shared
}

const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers.reverse()) await close()
})

/** A PostgreSQL server on TCP with passwords and TLS, of the embedded program, where nothing of ours starts it. */
export async function startExternalServer(scope: Scope): Promise<ExternalServer> {
  const directory = await mkdtemp(join(tmpdir(), 'upbeat-external-'))
  await chmod(directory, 0o711)
  scope.after(() => rm(directory, { recursive: true, force: true }))
  await placeCluster(directory)
  const cluster = join(directory, 'postgres')
  const authority = createAuthority('Authority of the tests')
  const server = await serverOf(scope, directory, cluster, authority)
  await server.start()
  await server.admin(`CREATE ROLE ${USER} LOGIN PASSWORD ${pg.escapeLiteral(PASSWORD)}`)
  return server
}

async function serverOf(
  scope: Scope,
  directory: string,
  cluster: string,
  authority: Authority,
  followed: number | null = null,
): Promise<ExternalServer> {
  const owner = await chooseSystemUser(await stat(cluster))
  const binaries = await findBinaries(owner, directory)
  const [port, sockets] = [await freePort(), join(directory, 'run')]
  const { key, cert } = authority.issue({ names: ['localhost'] })
  await ownFiles(owner, cluster, {
    'server.key': key,
    'server.crt': cert,
    'pg_hba.conf': HBA,
    'postgresql.conf': 'ssl = on',
  })
  await mkdir(sockets, { recursive: true, mode: 0o711 })
  await handOver(owner, sockets)
  const rootCert = join(directory, 'root.crt')
  await writeFile(rootCert, authority.pem)
  if (followed !== null) await ownFiles(owner, cluster, { 'standby.signal': '' })
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: sockets,
    // Data of tests need not survive a power cut.
    fsync: 'off',
    shared_buffers: '32MB',
    dynamic_shared_memory_type: 'mmap',
    primary_conninfo: followed === null ? '' : `host=127.0.0.1 port=${followed} user=upbeat`,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(binaries, 'bin/postgres'), '-D', cluster, ...options]
  let shell: ChildProcess | null = null
  let pid = 0

  async function start() {
    const giveUpAt = Date.now() + HANG_GUARD_MS
    while (!(await startOnce())) {
      assert.ok(Date.now() < giveUpAt, `the external server does not start, see ${directory}/server.log`)
    }
  }

  /** False where it has ended: somebody's connection has its port for the moment. */
  async function startOnce(): Promise<boolean> {
    const log = openSync(join(directory, 'server.log'), 'a')
    const started = spawn('/bin/sh', ['-c', SUPERVISE, 'external-postgres', ...command], {
      ...owner.credentials,
      cwd: '/',
      env: SYSTEM_ENVIRONMENT,
      stdio: ['pipe', 'pipe', log],
    })
    closeSync(log)
    shell = started
    const [line] = await once(createInterface({ input: started.stdout as NodeJS.ReadableStream }), 'line')
    pid = Number(line)
    const state = await until('the external server to answer', () =>
      admin('SELECT 1').then(
        () => 'answers',
        () => started.exitCode !== null && 'ended',
      ),
    )
    return state === 'answers'
  }

  async function stop(signal: NodeJS.Signals) {
    const stopping = shell
    if (!stopping || stopping.exitCode !== null) return
    const ended = exitOf(stopping, 'the external server')
    process.kill(pid, signal)
    await ended
    stopping.stdin?.end()
  }

  async function admin(sql: string, database = 'postgres') {
    return askOnce({ host: sockets, port, user: 'upbeat', database, ssl: false }, sql)
  }

  scope.after(() => stop('SIGQUIT'))
  return {
    port,
    get pid() {
      return pid
    },
    rootCert,
    admin,
    start,
    stop,
    async createDatabase(name, options = '') {
      await admin(`CREATE DATABASE ${name} OWNER ${USER} TEMPLATE template0 ${options}`)
    },
    url: (database, query = '') =>
      `postgres://${USER}:${encodeURIComponent(PASSWORD)}@localhost:${port}/${database}${query && `?${query}`}`,
    async addStandby() {
      const beside = await mkdtemp(join(tmpdir(), 'upbeat-external-'))
      await chmod(beside, 0o711)
      scope.after(() => rm(beside, { recursive: true, force: true }))
      await stop('SIGINT')
      await run('cp', ['-a', cluster, join(beside, 'postgres')])
      await start()
      const standby = await serverOf(scope, beside, join(beside, 'postgres'), authority, port)
      await standby.start()
      await until('the standby to follow', async () => {
        const following = await admin(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)
        return following.length > 0
      })
      return standby
    },
  }
}

async function ownFiles(owner: SystemUser, directory: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name)
    await rm(path, { force: true })
    await writeFile(path, text, { mode: 0o600 })
    await chown(path, owner.uid, owner.gid)
  }
}
