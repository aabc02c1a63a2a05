import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { openStore } from '../../../src/store/store.ts'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.cache')
const PREFIX = 'test-cluster-'
/** One of yesterday, or of another schema, may be in use by tests that have begun before it was out of date. */
const UNUSED_MS = 6 * 3_600_000
/** The files that decide the content of a fresh database. */
const SOURCES = ['package-lock.json', 'src/postgres/embedded/cluster.ts', 'src/postgres/migrations']

let template: Promise<string> | undefined

/**
 * Puts the database of a service that has started once into a data directory: to make one anew takes a second of
 * a core, and tests start services by the dozen. Made once for each version of the schema, and kept.
 */
export async function placeCluster(dataDir: string): Promise<void> {
  template ??= findOrMake()
  await copy(await template, join(dataDir, 'postgres'))
}

async function findOrMake(): Promise<string> {
  const name = PREFIX + (await fingerprint())
  const path = join(CACHE, name)
  if (!(await exists(path))) {
    await mkdir(CACHE, { recursive: true })
    const made = await make()
    // The first one's is kept where several processes make it at the same time.
    await rename(made, path).catch(() => rm(made, { recursive: true, force: true }))
    await removeUnused()
  }
  const now = new Date()
  await utimes(path, now, now)
  return path
}

/** Names what a fresh database is made of. */
export async function fingerprint(): Promise<string> {
  // Its partitions are those of a day.
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10))
  for (const source of SOURCES) {
    const path = join(ROOT, source)
    const files = (await stat(path)).isDirectory()
      ? (await readdir(path)).sort().map((file) => join(path, file))
      : [path]
    // Their names, too: a migration that got another number is another one.
    for (const file of files) hash.update(basename(file)).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

async function make(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-template-'))
  await chmod(dataDir, 0o711)
  const store = await openStore({
    dataDir,
    databaseUrl: null,
    secretKey: 'of no use',
    previousSecretKeys: [],
    now: () => new Date(),
    note: () => {},
    onTrouble: () => {},
  })
  await store.close()
  const made = join(CACHE, `new-${PREFIX}${process.pid}`)
  await copy(join(dataDir, 'postgres'), made)
  await rm(dataDir, { recursive: true, force: true })
  return made
}

/** With its owner: as root the server runs as somebody else. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to])
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name)
    const usedAt = name.startsWith(PREFIX) && (await stat(path).catch(() => null))?.mtimeMs
    if (usedAt && Date.now() - usedAt > UNUSED_MS) await rm(path, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
