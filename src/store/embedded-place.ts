import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SYSTEM_DIRECTORY } from './embedded-binaries.ts'
import { EmbeddedServerError } from './embedded-error.ts'
import type { Identity } from './embedded-identity.ts'
import { chooseIdentity, handOver, mayExecute } from './embedded-identity.ts'

export const SERVER_PORT = 5_432
/** A socket's path must fit into sockaddr_un: 107 bytes on Linux, 103 on macOS. */
const LONGEST_SOCKET_PATH = 103

/** Where the parts of one embedded server lie. */
export type Place = {
  dataDir: string
  /** The directory with the data, `postgres` unless the server's user cannot enter dataDir. */
  cluster: string
  owner: Identity
  log: string
  /** Held alone while a server is being started. */
  startLock: string
  /** Shared by every process that has the server open. */
  holdLock: string
}

/** Decides where the cluster is and who runs it; `note` hears when it is not in `dataDir` itself. */
export async function findPlace(givenDirectory: string, note: (progress: string) => void): Promise<Place> {
  const dataDir = resolve(givenDirectory)
  try {
    // Others may pass through on their way to the cluster, but not look around.
    if (await mkdir(dataDir, { recursive: true })) await chmod(dataDir, 0o711)
    const cluster = await findCluster(dataDir, note)
    const owner = await ownerOf(cluster, dataDir)
    const place: Place = {
      dataDir,
      cluster,
      owner,
      log: join(dataDir, 'postgres.log'),
      startLock: join(dataDir, 'postgres-start.lock'),
      holdLock: join(dataDir, 'postgres-hold.lock'),
    }
    for (const path of [place.log, place.startLock, place.holdLock]) {
      await writeFile(path, '', { flag: 'a', mode: 0o600 })
      await handOver(owner, path)
    }
    return place
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new EmbeddedServerError(
      `The data directory ${dataDir} is not ours to use (${message}). ` +
        'Run Upbeat as the user who owns it, or choose another DATA_DIR.',
    )
  }
}

async function findCluster(dataDir: string, note: (progress: string) => void): Promise<string> {
  const inside = join(dataDir, 'postgres')
  if (await statOf(inside)) return inside
  const locationFile = join(dataDir, 'postgres-location')
  const recorded = (await readFile(locationFile, 'utf8').catch(absent))?.trim()
  if (recorded) return recorded

  const owner = await chooseIdentity(null)
  if (!owner.switches || (await mayExecute(owner, dataDir))) return inside
  // A random name: when dataDir is deleted and made anew, the old data must not come back.
  if (await mkdir(SYSTEM_DIRECTORY, { recursive: true })) await chmod(SYSTEM_DIRECTORY, 0o711)
  const outside = await mkdtemp(join(SYSTEM_DIRECTORY, 'cluster-'))
  await handOver(owner, outside)
  await writeFile(locationFile, `${outside}/postgres\n`)
  note(`${owner.name} cannot enter ${dataDir}: the database is kept in ${outside}`)
  return join(outside, 'postgres')
}

async function ownerOf(cluster: string, dataDir: string): Promise<Identity> {
  const found = await statOf(cluster)
  const owner = await chooseIdentity(found ?? null)
  if (found && found.uid !== owner.uid) {
    throw new EmbeddedServerError(
      `The database in ${cluster} belongs to uid ${found.uid}, and this is uid ${owner.uid}. ` +
        'Run Upbeat as that user, or choose another DATA_DIR.',
    )
  }
  if (found?.uid === 0) {
    throw new EmbeddedServerError(
      `The database in ${cluster} belongs to root, as whom PostgreSQL never runs. ` +
        'Give it to an unprivileged user with chown -R, or choose another DATA_DIR.',
    )
  }
  if (found && !(await mayExecute(owner, join(cluster, '..')))) {
    throw new EmbeddedServerError(
      `The database in ${cluster} belongs to ${owner.name}, who cannot enter ${dataDir}. ` +
        'Let others pass through its parent directories (chmod o+x), or choose another DATA_DIR.',
    )
  }
  return owner
}

/** The runtime directory (socket and FIFO) that was recorded last, when it still is one and safe to trust. */
export async function recordedRuntime(place: Place): Promise<string | null> {
  const path = (await readFile(recordOf(place), 'utf8').catch(absent))?.trim()
  if (!path) return null
  const found = await lstat(path).catch(absent)
  const safe = found?.isDirectory() && found.uid === place.owner.uid && (found.mode & 0o077) === 0
  return safe ? path : null
}

/** Makes a fresh runtime directory and records it. */
export async function makeRuntime(place: Place): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    const fits = Buffer.byteLength(`${parent}/upbeat-XXXXXX/.s.PGSQL.${SERVER_PORT}`) <= LONGEST_SOCKET_PATH
    if (!fits || !(await mayExecute(place.owner, parent))) continue
    const runtime = await mkdtemp(join(parent, 'upbeat-')).catch(() => null)
    if (!runtime) continue
    await handOver(place.owner, runtime)
    await recordRuntime(place, runtime)
    return runtime
  }
  throw new EmbeddedServerError(
    `The embedded database needs a short directory for its socket, and neither ${tmpdir()} nor /tmp can be used. ` +
      'Set TMPDIR to a directory that can be written to, or set DATABASE_URL.',
  )
}

async function recordRuntime(place: Place, runtime: string): Promise<void> {
  const half = `${recordOf(place)}.new`
  await writeFile(half, `${runtime}\n`, { mode: 0o600 })
  await handOver(place.owner, half)
  await rename(half, recordOf(place))
}

function recordOf(place: Place): string {
  return join(place.dataDir, 'postgres-runtime')
}

async function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch(absent)
}

/** What is not there is no failure; what cannot be read is. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
