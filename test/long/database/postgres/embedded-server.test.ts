// npm test leaves this out: it makes clusters of the embedded PostgreSQL, and kills them (seconds each).
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { isSupervised } from '../../../../src/postgres/embedded/hold.ts'
import { findPlace, recordedRuntime } from '../../../../src/postgres/embedded/place.ts'
import type { EmbeddedServer } from '../../../../src/postgres/embedded/server.ts'
import { openEmbeddedServer } from '../../../../src/postgres/embedded/server.ts'
import { startServer } from '../../../../src/postgres/embedded/start.ts'
import { placeCluster } from '../../../support/postgres/cluster-template.ts'
import { until } from '../../../support/until.ts'

const SERVER_MODULE = new URL('../../../../src/postgres/embedded/server.ts', import.meta.url).href
const isRoot = process.geteuid?.() === 0
const temporary: string[] = []
let shared: string | undefined

after(async () => {
  for (const directory of temporary) await rm(directory, { recursive: true, force: true })
})

test('the first open makes the database, the second joins, and the last close stops the server', async () => {
  const dataDir = await newDirectory()
  await mkdir(join(dataDir, 'postgres.new-0badf00d/base'), { recursive: true })
  const notes: string[] = []
  const first = await openEmbeddedServer({ dataDir, note: (progress) => notes.push(progress) })
  assert.equal(first.startedHere, true)
  assert.match(notes.join(), /initializing the database/)
  const halfMade = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))
  assert.deepEqual(halfMade, [], 'a half-made database is ignored and removed')
  await query(first, 'CREATE TABLE kept (word text)')
  await query(first, `INSERT INTO kept VALUES ('before')`)

  const second = await open(dataDir)
  assert.equal(second.startedHere, false)
  await first.close()
  assert.deepEqual(await query(second, 'SELECT word FROM kept'), [{ word: 'before' }])

  const pid = postmasterOf(dataDir)
  await second.close()
  assert.equal(isAlive(pid), false)
  assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
  assert.equal(existsSync(second.connection.host), false, 'the runtime directory is removed')
})

test('durability is on, no port is open, and only a short private directory leads to the socket', async () => {
  const server = await open(await sharedDirectory())
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'server_encoding']
  const rows = await query(
    server,
    `SELECT name, setting FROM pg_settings WHERE name IN (${names.map((name) => `'${name}'`)}) ORDER BY name`,
  )
  assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
  })
  const { mode } = await stat(server.connection.host)
  assert.equal(mode & 0o777, 0o700)
  await server.close()
})

test('of processes that open at the same time exactly one starts the server, which others keep when it is killed', async () => {
  const dataDir = await newDirectory()
  const children = await Promise.all([openInChild(dataDir), openInChild(dataDir)])
  assert.deepEqual(children.map(({ startedHere }) => startedHere).toSorted(), [false, true])
  const joined = await open(dataDir)
  assert.equal(joined.startedHere, false)
  await query(joined, 'CREATE TABLE kept AS SELECT 7 AS number')
  const pid = postmasterOf(dataDir)
  await Promise.all(children.map((child) => kill(child.process)))
  assert.deepEqual(await query(joined, 'SELECT number FROM kept'), [{ number: 7 }], 'the other one keeps it')
  await joined.close()
  assert.equal(isAlive(pid), false)
})

test('a process that is killed takes the server with it, and the next open has the data', async () => {
  const dataDir = await sharedDirectory()
  const child = await openInChild(dataDir)
  assert.equal(child.startedHere, true)
  const pid = postmasterOf(dataDir)
  const joined = await open(dataDir)
  await query(joined, 'CREATE TABLE kept AS SELECT 7 AS number')
  await joined.close()
  assert.equal(isAlive(pid), true)
  await kill(child.process)
  await untilDead(pid)
  const next = await open(dataDir)
  assert.equal(next.startedHere, true)
  assert.deepEqual(await query(next, 'SELECT number FROM kept'), [{ number: 7 }])
  await next.close()
})

test('an open during the shutdown waits for its end and starts afresh', async () => {
  const dataDir = await sharedDirectory()
  const first = await open(dataDir)
  const pid = postmasterOf(dataDir)
  const [, second] = await Promise.all([first.close(), open(dataDir)])
  assert.deepEqual(await query(second, 'SELECT 1 AS one'), [{ one: 1 }])
  if (second.startedHere) assert.equal(isAlive(pid), false)
  await second.close()
})

test('a server that was killed comes back with the data, for every process that had it open', async () => {
  const dataDir = await sharedDirectory()
  const first = await open(dataDir)
  const second = await open(dataDir)
  await query(first, 'CREATE TABLE survived AS SELECT 7 AS number')
  const { host } = first.connection
  const pid = postmasterOf(dataDir)
  process.kill(pid, 'SIGKILL')
  await untilDead(pid)

  await Promise.all([first.ensureRunning(), first.ensureRunning(), second.ensureRunning()])
  assert.notEqual(postmasterOf(dataDir), pid)
  assert.equal(first.connection.host, host, 'pools of connections need not be made anew')
  assert.deepEqual(await query(first, 'SELECT number FROM survived'), [{ number: 7 }])
  await first.close()
  assert.deepEqual(await query(second, 'SELECT number FROM survived'), [{ number: 7 }])
  await second.close()
})

test('a process that did not notice the restart still counts as a holder', async () => {
  const dataDir = await sharedDirectory()
  const idle = await open(dataDir)
  const busy = await open(dataDir)
  const killed = postmasterOf(dataDir)
  process.kill(killed, 'SIGKILL')
  await untilDead(killed)
  await busy.ensureRunning()
  await busy.close()
  assert.deepEqual(await query(idle, 'SELECT 1 AS one'), [{ one: 1 }])
  const pid = postmasterOf(dataDir)
  await idle.close()
  assert.equal(isAlive(pid), false)
})

test('a server that lost its supervisor is replaced', async () => {
  const dataDir = await sharedDirectory()
  const first = await open(dataDir)
  const orphan = postmasterOf(dataDir)
  for (const supervisor of supervisorsOf(orphan)) process.kill(supervisor, 'SIGKILL')
  await first.close()
  const next = await open(dataDir)
  assert.notEqual(postmasterOf(dataDir), orphan)
  assert.deepEqual(await query(next, 'SELECT 1 AS one'), [{ one: 1 }])
  await next.close()
})

test('files left by a crash of the machine do not hinder the next start', async (t) => {
  const dataDir = await sharedDirectory()
  const cluster = join(dataDir, 'postgres')
  const first = await open(dataDir)
  const pidFile = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  await first.close()

  await t.test('a postmaster.pid that names a stranger', async () => {
    await writeFile(join(cluster, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)))
    await queryOnce(dataDir)
  })
  await t.test('the record of a runtime directory that is gone', async () => {
    await writeFile(join(dataDir, 'postgres-runtime'), join(tmpdir(), 'upbeat-gone'))
    await queryOnce(dataDir)
  })
  await t.test('the record of a directory that is not private', async () => {
    const trap = await newDirectory()
    await writeFile(join(dataDir, 'postgres-runtime'), trap)
    const server = await open(dataDir)
    assert.notEqual(server.connection.host, trap)
    await server.close()
  })
})

test('a server that cannot start says so with the end of its log', async () => {
  const dataDir = await newDirectory()
  await placeCluster(dataDir)
  await rm(join(dataDir, 'postgres/global/pg_control'))
  await assert.rejects(open(dataDir), {
    name: 'EmbeddedServerError',
    message: /does not start in .*could not find the database system/s,
  })
})

test('a start that fails half-way keeps hold of nothing', async () => {
  const dataDir = await newDirectory()
  await placeCluster(dataDir)
  const place = await findPlace(dataDir, () => {})
  // Nothing can be written there, once all else is ready.
  await assert.rejects(
    startServer({ ...place, log: dataDir }, () => {}),
    { code: 'EISDIR' },
  )
  const runtime = await recordedRuntime(place)
  assert.ok(runtime)
  assert.equal(isSupervised(runtime), false)
  await queryOnce(dataDir)
})

test('the database of another user is refused with a plain sentence', async () => {
  const dataDir = await newDirectory()
  await mkdir(join(dataDir, 'postgres'), { mode: 0o700 })
  // Root gives it to root; anybody else cannot give anything away, and meets root's own directory instead.
  await assert.rejects(open(isRoot ? dataDir : '/upbeat-not-ours'), {
    name: 'EmbeddedServerError',
    message: /choose another DATA_DIR/,
  })
})

test('a private dataDir keeps its database, elsewhere when the user who runs the server cannot enter it', async () => {
  const dataDir = await newDirectory(0o700)
  const notes: string[] = []
  const server = await openEmbeddedServer({ dataDir, note: (progress) => notes.push(progress) })
  assert.equal(existsSync(join(dataDir, 'postgres')), !isRoot)
  if (isRoot) {
    const outside = dirname((await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim())
    temporary.push(outside)
    assert.ok(notes.some((note) => note.includes(outside)))
  }
  await query(server, 'CREATE TABLE kept AS SELECT 7 AS number')
  await server.close()

  const again = await open(dataDir)
  assert.deepEqual(await query(again, 'SELECT number FROM kept'), [{ number: 7 }])
  await again.close()
})

test('a start says that the user who runs the server can no longer enter the directory of its database', async () => {
  const dataDir = await newDirectory()
  await placeCluster(dataDir)
  await chmod(dataDir, 0o700)
  // A user who is not root runs the server as itself, and may enter what is its own.
  if (!isRoot) return queryOnce(dataDir)
  await assert.rejects(open(dataDir), {
    name: 'EmbeddedServerError',
    message: /who cannot enter .*chmod o\+x/,
  })
  await chmod(dataDir, 0o711)
  await queryOnce(dataDir)
})

async function newDirectory(mode = 0o755): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  await chmod(directory, mode)
  temporary.push(directory)
  return directory
}

/** Initialising takes most of a second: tests that need no new database take turns with one that is a copy. */
async function sharedDirectory(): Promise<string> {
  if (!shared) {
    shared = await newDirectory()
    await placeCluster(shared)
  }
  return shared
}

async function open(dataDir: string): Promise<EmbeddedServer> {
  return openEmbeddedServer({ dataDir, note: () => {} })
}

async function queryOnce(dataDir: string): Promise<void> {
  const server = await open(dataDir)
  assert.equal(server.startedHere, true)
  assert.deepEqual(await query(server, 'SELECT 1 AS one'), [{ one: 1 }])
  await server.close()
}

/** Another process that opens the server and holds it until it is killed. */
async function openInChild(dataDir: string): Promise<{ process: ChildProcess; startedHere: boolean }> {
  const script = `
    import { openEmbeddedServer } from '${SERVER_MODULE}'
    const server = await openEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)}, note() {} })
    console.log(server.startedHere)
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(() => assert.fail('it has ended'))
  const [printed] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
  return { process: child, startedHere: printed.toString().trim() === 'true' }
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function query(server: EmbeddedServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...server.connection })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

/** The shell that started the server, and the shell that waits for its holders to go. */
function supervisorsOf(server: number): number[] {
  const processes = listProcesses()
  const shell = processes.find(({ pid }) => pid === server)?.parent
  assert.ok(shell && shell > 1)
  const children = processes.filter(({ pid, parent }) => parent === shell && pid !== server)
  return [shell, ...children.map(({ pid }) => pid)]
}

function listProcesses(): { pid: number; parent: number }[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
        return { pid: Number(pid), parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) }
      })
  }
  const lines = spawnSync('ps', ['-A', '-o', 'pid=,ppid=']).stdout.toString().trim().split('\n')
  return lines.map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return { pid: pid ?? 0, parent: parent ?? 0 }
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function untilDead(pid: number): Promise<void> {
  await until(`the end of ${pid}`, () => !isAlive(pid))
}
