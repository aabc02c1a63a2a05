import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedServerError } from './error.ts'
import { assertOurs, makeExternalCluster, readLocation } from './external-cluster.ts'
import type { SystemUser } from './system-user.ts'
import { chooseSystemUser, handOver, mayExecute } from './system-user.ts'

export const SERVER_PORT = 5_432
/** A socket's path must fit into sockaddr_un: 107 bytes on Linux, 103 on macOS. */
const MAX_SOCKET_PATH_LENGTH = 103
const RUNTIME_NAME = /^upbeat-([0-9a-z]+)-\w{6}$/

/** The paths and the owner of one embedded server. */
export type ServerPlace = {
  dataDir: string
  /** The data itself: `postgres` in dataDir, unless the server's user cannot enter that. */
  cluster: string
  owner: SystemUser
  log: string
  /** Held exclusively while a server is being started. */
  startLock: string
  /** Shared by all processes that use the server. */
  holdLock: string
}

/** Determines the cluster's location and owner. Reports to `note` if it is outside `dataDir`. */
export async function findPlace(
  givenDirectory: string,
  note: (progress: string) => void,
): Promise<ServerPlace> {
  const dataDir = resolve(givenDirectory)
  try {
    // Other users may pass through to the cluster, but not list the directory.
    if (await mkdir(dataDir, { recursive: true })) await chmod(dataDir, 0o711)
    const holdLock = join(dataDir, 'postgres-hold.lock')
    const cluster = await findCluster(dataDir, holdLock, note)
    const owner = await ownerOf(cluster)
    const place: ServerPlace = {
      dataDir,
      cluster,
      owner,
      log: join(dataDir, 'postgres.log'),
      startLock: join(dataDir, 'postgres-start.lock'),
      holdLock,
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

async function findCluster(
  dataDir: string,
  holdLock: string,
  note: (progress: string) => void,
): Promise<string> {
  const inside = join(dataDir, 'postgres')
  if (await statOf(inside)) return inside
  const recorded = await readLocation(dataDir)
  if (recorded) {
    await assertOurs(dataDir, recorded, holdLock, note)
    return recorded
  }
  const owner = await chooseSystemUser(null)
  if (!owner.switches || (await mayExecute(owner, dataDir))) return inside
  const cluster = await makeExternalCluster(dataDir, owner)
  note(`${owner.name} cannot enter ${dataDir}: the database is kept in ${dirname(cluster)}`)
  return cluster
}

async function ownerOf(cluster: string): Promise<SystemUser> {
  const found = await statOf(cluster)
  const owner = await chooseSystemUser(found ?? null)
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
  return owner
}

/** Says why the owner's server cannot start in there, where its way is barred. */
export async function refuseBarredWay({ owner, cluster, dataDir }: ServerPlace): Promise<void> {
  if (await mayExecute(owner, join(cluster, '..'))) return
  throw new EmbeddedServerError(
    `The database in ${cluster} belongs to ${owner.name}, who cannot enter ${dataDir}. ` +
      'Let others pass through its parent directories (chmod o+x), or choose another DATA_DIR.',
  )
}

/**
 * The last recorded runtime directory (socket and FIFO), if it still exists, is safe to trust and belongs to
 * this cluster: a copied data directory contains the record of the original.
 */
export async function recordedRuntime(place: ServerPlace): Promise<string | null> {
  const path = (await readFile(recordOf(place), 'utf8').catch(absent))?.trim()
  if (!path) return null
  const found = await lstat(path).catch(absent)
  const safe = found?.isDirectory() && found.uid === place.owner.uid && (found.mode & 0o077) === 0
  return safe && (await isOfCluster(path, place.cluster)) ? path : null
}

/** Newer names identify the cluster; for an older one, only a server running there can tell. */
async function isOfCluster(runtime: string, cluster: string): Promise<boolean> {
  const [, named] = RUNTIME_NAME.exec(basename(runtime)) ?? []
  if (named !== undefined) return named === (await nameOf(cluster))
  const served = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(absent))?.split('\n')[1]
  if (!served) return false
  const [theirs, ours] = [await nameOf(served), await nameOf(cluster)]
  return theirs !== null && theirs === ours
}

/** Stable as long as the directory exists, regardless of its path, and different for each copy. */
async function nameOf(cluster: string): Promise<string | null> {
  return (await stat(cluster, { bigint: true }).catch(absent))?.ino.toString(36) ?? null
}

/** Creates and records a new runtime directory. */
export async function makeRuntime(place: ServerPlace): Promise<string> {
  const prefix = `upbeat-${await nameOf(place.cluster)}-`
  for (const parent of [tmpdir(), '/tmp']) {
    const fits =
      Buffer.byteLength(`${parent}/${prefix}XXXXXX/.s.PGSQL.${SERVER_PORT}`) <= MAX_SOCKET_PATH_LENGTH
    if (!fits || !(await mayExecute(place.owner, parent))) continue
    const runtime = await mkdtemp(join(parent, prefix)).catch(() => null)
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

async function recordRuntime(place: ServerPlace, runtime: string): Promise<void> {
  const half = `${recordOf(place)}.new`
  await writeFile(half, `${runtime}\n`, { mode: 0o600 })
  await handOver(place.owner, half)
  await rename(half, recordOf(place))
}

function recordOf(place: ServerPlace): string {
  return join(place.dataDir, 'postgres-runtime')
}

async function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch(absent)
}

/** Null for a missing file; other errors are thrown. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
