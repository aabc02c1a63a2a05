// npm test leaves this out: it starts several PostgreSQL clusters, and kills them (seconds each).
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import {
  listExternalClusters,
  makeExternalCluster,
  removeExternalCluster,
  takeOver,
} from '../../../src/postgres/embedded/external-cluster.ts'
import { handOverCluster } from '../../../src/postgres/embedded/handover.ts'
import { trySharedLock } from '../../../src/postgres/embedded/lock.ts'
import { findPlace } from '../../../src/postgres/embedded/place.ts'
import { type EmbeddedServer, openEmbeddedServer } from '../../../src/postgres/embedded/server.ts'
import { findNobody, ownSystemUser } from '../../../src/postgres/embedded/system-user.ts'
import { placeCluster } from '../../support/postgres/cluster-template.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const isRoot = process.geteuid?.() === 0
const BELONGS_TO_ANOTHER =
  /^The database in \S+ belongs to \S+\/original, and this is \S+\/copy\..*`upbeat restore`/

test('a copy of a private data directory never writes into the database of the original', async (t) => {
  const { original, copy } = await makeDirectories(t, 0o700)
  const server = await open(original)
  await note(server, 'from the original')
  copyOf(original, copy)
  // Only root has to keep the database elsewhere; for anybody else the copy has one of its own.
  const opensCopy = async () => {
    const copied = await open(copy)
    await note(copied, 'from the copy')
    await copied.close()
  }
  if (isRoot) await assert.rejects(opensCopy(), { name: 'EmbeddedServerError', message: BELONGS_TO_ANOTHER })
  else await opensCopy()
  await server.close()
  if (isRoot) await assert.rejects(opensCopy(), { message: BELONGS_TO_ANOTHER })
  const again = await open(original)
  assert.deepEqual(await notes(again), ['from the original'])
  await again.close()
})

test('a data directory that was renamed has its database, and the copy at its old place has not', async (t) => {
  const { folder, original, copy } = await makeDirectories(t, 0o700)
  await makeDatabase(original)
  const moved = join(folder, 'moved')
  await rename(original, moved)
  const said: string[] = []
  const server = await open(moved, said)
  assert.deepEqual(await notes(server), ['made'])
  if (isRoot) assert.match(said.join(), /the data directory \S+\/original is \S+\/moved now/)
  await server.close()
  if (!isRoot) return
  copyOf(moved, original)
  copyOf(moved, copy)
  for (const other of [original, copy]) await assert.rejects(open(other), { name: 'EmbeddedServerError' })
})

test('a data directory that was put back at its place has its database, unless a service uses it', async (t) => {
  if (!isRoot) return
  const { folder, original } = await makeDirectories(t, 0o700)
  await makeDatabase(original)
  const running = await open(original)
  const kept = join(folder, 'kept')
  await rename(original, kept)
  copyOf(kept, original)
  await assert.rejects(open(original), { name: 'EmbeddedServerError' })
  await running.close()
  const server = await open(original)
  assert.deepEqual(await notes(server), ['made'])
  await server.close()
})

test('a database of an earlier version, which does not know whose it is, is not shared with who runs on it', async (t) => {
  if (!isRoot) return
  const { original, copy } = await makeDirectories(t, 0o700)
  const server = await open(original)
  const outside = await elsewhereOf(original)
  copyOf(original, copy)
  await rm(join(outside, 'data-directory'))
  await assert.rejects(open(copy), { message: /belongs to another data directory, whose service runs/ })
  const joined = await open(original)
  assert.equal(joined.startedHere, false, 'it knows now')
  await server.close()
  await joined.close()
  await assert.rejects(open(copy), { message: BELONGS_TO_ANOTHER })
})

test('a database that has gone from its place elsewhere is not replaced by an empty one without a word', async (t) => {
  if (!isRoot) return
  const { original } = await makeDirectories(t, 0o700)
  await makeDatabase(original)
  const outside = await elsewhereOf(original)
  await rename(outside, `${outside}-taken`)
  await assert.rejects(open(original), {
    message: /was kept in \S+, where there is none any more\. Bring it back/,
  })
  await rename(`${outside}-taken`, outside)
  await makeDatabase(original)
})

test('a database whose data directory is gone is known, taken over by a copy on request, or deleted', async (t) => {
  if (!isRoot) return
  const { folder, original, copy } = await makeDirectories(t, 0o700)
  await makeDatabase(original)
  const outside = await elsewhereOf(original)
  copyOf(original, copy)
  const known = async () => (await listExternalClusters()).find(({ directory }) => directory === outside)
  assert.deepEqual(await known(), { directory: outside, dataDir: original, isOrphan: false })
  await assert.rejects(takeOver(copy), { message: /\/original is still there/ })
  await assert.rejects(removeExternalCluster(outside, folder), {
    message: /belongs to \S+\/original: it stays/,
  })
  await rm(original, { recursive: true })
  assert.equal((await known())?.isOrphan, true)
  await assert.rejects(open(copy), { message: BELONGS_TO_ANOTHER })
  await assert.rejects(removeExternalCluster(outside, copy), { message: /belongs to \S+\/copy: it stays/ })
  assert.equal(await takeOver(copy), original)
  const server = await open(copy)
  assert.deepEqual(await notes(server), ['made'])
  await assert.rejects(removeExternalCluster(outside, folder), { message: /belongs to \S+\/copy: it stays/ })
  await rm(copy, { recursive: true })
  await assert.rejects(removeExternalCluster(outside, folder), { message: /is in use/ })
  await server.close()
  const removes = () =>
    removeExternalCluster(`${outside}/`, folder).catch(({ message }) => assert.match(message, /in use/))
  await until('the server to have stopped', async () => {
    await removes()
    return !existsSync(outside)
  })
  await assert.rejects(removeExternalCluster('/etc', folder), { message: /is no database/ })
})

test('a copy that has its database inside is a database of its own, even of one that runs', async (t) => {
  const { original, copy } = await makeDirectories(t, 0o755)
  const server = await open(original)
  await note(server, 'before the copy')
  await run(server, 'CHECKPOINT')
  copyOf(original, copy)
  const copied = await open(copy)
  assert.equal(copied.startedHere, true)
  await note(copied, 'only in the copy')
  assert.deepEqual(await notes(server), ['before the copy'])
  assert.deepEqual(await notes(copied), ['before the copy', 'only in the copy'])
  await copied.close()

  // As earlier versions called it, which say nothing of the database in that name.
  const { host } = server.connection
  const older = join(dirname(host), `upbeat-${basename(host).slice(-6)}`)
  t.after(() => rm(older, { recursive: true, force: true }))
  await rename(host, older)
  await symlink(older, host)
  for (const directory of [original, copy]) await writeFile(join(directory, 'postgres-runtime'), older)
  const joined = await open(original)
  assert.equal(joined.startedHere, false)
  const apart = await open(copy)
  assert.equal(apart.startedHere, true)
  for (const each of [apart, joined, server]) await each.close()
})

test('as root the server runs as a user of its own, and adopts a database of the user nobody with all its data', async (t) => {
  const { original } = await makeDirectories(t, 0o711)
  await makeDatabase(original)
  if (!isRoot) return
  const own = await ownSystemUser()
  const cluster = join(original, 'postgres')
  assert.equal((await stat(cluster)).uid, own.uid)
  const nobody = await findNobody()
  const give = (...paths: string[]) =>
    execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, ...paths.map((path) => join(original, path))])
  give('postgres', 'postgres.log', 'postgres-start.lock', 'postgres-hold.lock')

  const used = trySharedLock(join(original, 'postgres-hold.lock'))
  const kept = await handOverCluster(await findPlace(original, () => {}), () => {})
  assert.equal(kept.owner.uid, nobody.uid, 'while somebody uses it')
  used?.release()
  await chmod(original, 0o710)
  await chown(original, 0, nobody.gid)
  const closed = await handOverCluster(await findPlace(original, () => {}), () => {})
  assert.equal(closed.owner.uid, nobody.uid, 'where the new owner could not pass')
  await chmod(original, 0o711)

  // An interrupted change of owner leaves the files like this.
  execFileSync('chown', ['-R', `${own.uid}:${own.gid}`, join(cluster, 'base')])
  const said: string[] = []
  const server = await open(original, said)
  assert.deepEqual(await notes(server), ['made'])
  assert.match(said.join(), /belongs to the system user upbeat from now on/)
  const pid = Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10)
  assert.match(await readFile(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:\\s+${own.uid}\\s`, 'm'))
  await server.close()
  assert.deepEqual(execFileSync('find', [cluster, '!', '-uid', String(own.uid)]).toString(), '')
})

test('a private data directory of the user nobody is adopted, too', async (t) => {
  if (!isRoot) return
  const { original } = await makeDirectories(t, 0o700)
  await makeDatabase(original)
  const outside = await elsewhereOf(original)
  const nobody = await findNobody()
  execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, outside])
  const server = await open(original)
  assert.deepEqual(await notes(server), ['made'])
  await server.close()
  assert.equal((await stat(join(outside, 'postgres'))).uid, (await ownSystemUser()).uid)
})

type Cleaner = { after: (work: () => Promise<void>) => void }

async function makeDirectories(t: Parameters<typeof temporaryFolder>[0] & Cleaner, mode: number) {
  const folder = temporaryFolder(t)
  await chmod(folder, 0o755)
  const [original, copy] = [join(folder, 'original'), join(folder, 'copy')]
  await mkdir(original)
  await chmod(original, mode)
  // A copy of one costs a tenth of making one.
  const isElsewhere = isRoot && mode === 0o700
  await placeCluster(
    isElsewhere ? dirname(await makeExternalCluster(original, await ownSystemUser())) : original,
  )
  // A database kept elsewhere is not deleted with the folder.
  t.after(async () => {
    for (const { directory, dataDir } of await listExternalClusters()) {
      if (dataDir?.startsWith(folder)) await rm(directory, { recursive: true })
    }
  })
  return { folder, original, copy }
}

function copyOf(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

async function elsewhereOf(dataDir: string): Promise<string> {
  return dirname((await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim())
}

async function makeDatabase(dataDir: string): Promise<void> {
  const server = await open(dataDir)
  const made = await notes(server)
  if (made.length === 0) await note(server, 'made')
  await server.close()
}

function open(dataDir: string, said: string[] = []): Promise<EmbeddedServer> {
  return openEmbeddedServer({ dataDir, note: (progress) => said.push(progress) })
}

async function note(server: EmbeddedServer, word: string): Promise<void> {
  await run(server, 'CREATE TABLE IF NOT EXISTS notes (word text)')
  await run(server, `INSERT INTO notes VALUES ('${word}')`)
}

async function notes(server: EmbeddedServer): Promise<string[]> {
  await run(server, 'CREATE TABLE IF NOT EXISTS notes (word text)')
  return (await run(server, 'SELECT word FROM notes')).map(({ word }) => String(word))
}

async function run(server: EmbeddedServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...server.connection })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
