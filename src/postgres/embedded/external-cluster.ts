import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SYSTEM_DIRECTORY } from './binaries.ts'
import { EmbeddedServerError } from './error.ts'
import { isServerRunning } from './leftovers.ts'
import { tryExclusiveLock } from './lock.ts'
import type { SystemUser } from './system-user.ts'
import { handOver } from './system-user.ts'

/*
 * If root runs the service and the server's user cannot enter the data directory, the cluster is kept elsewhere and
 * a file in the data directory names it. A copy of that directory names it as well, so the cluster records which
 * directory it belongs to, and no other one gets it.
 */

const LOCATION_FILE = 'postgres-location'
const CLAIM_FILE = 'data-directory'
const PREFIX = 'cluster-'

/**
 * Identifies the data directory that a cluster belongs to. Its path or its inode may change, but not both at once.
 */
type Claim = { path: string; inode: string }

/** The location of the directory's external cluster; null if it has none. */
export async function readLocation(dataDir: string): Promise<string | null> {
  return (await readFile(join(dataDir, LOCATION_FILE), 'utf8').catch(absent))?.trim() || null
}

/** Creates a place for the cluster outside the data directory, which its owner can enter. */
export async function makeExternalCluster(dataDir: string, owner: SystemUser): Promise<string> {
  if (await mkdir(SYSTEM_DIRECTORY, { recursive: true })) await chmod(SYSTEM_DIRECTORY, 0o711)
  // A random name, so that a data directory that is deleted and created again does not get the old data.
  const outside = await mkdtemp(join(SYSTEM_DIRECTORY, PREFIX))
  await writeClaim(outside, await claimOf(dataDir))
  await handOver(owner, outside)
  await writeFile(join(dataDir, LOCATION_FILE), `${outside}/postgres\n`)
  return join(outside, 'postgres')
}

/** Throws unless the cluster belongs to that directory. Reports to `note` if the directory has moved. */
export async function assertOurs(
  dataDir: string,
  cluster: string,
  holdLock: string,
  note: (progress: string) => void,
): Promise<void> {
  const outside = dirname(cluster)
  if (!(await stat(outside).catch(absent))) {
    throw new EmbeddedServerError(
      `The database of ${dataDir} was kept in ${cluster}, where there is none any more. Bring it back, or delete ` +
        `${join(dataDir, LOCATION_FILE)} to begin with an empty one.`,
    )
  }
  const [here, claim] = [await claimOf(dataDir), await readClaim(outside)]
  if (claim?.path === here.path && claim.inode === here.inode) return
  // A cluster of an earlier version has no claim and goes to the first directory that uses it.
  const isMine = claim === null || claim.path === here.path || (await hasMoved(claim, here, dataDir))
  if (isMine && !(await isUsedByOthers(cluster, holdLock))) {
    await writeClaim(outside, here)
    if (claim !== null && claim.path !== here.path)
      note(`the data directory ${claim.path} is ${here.path} now`)
    return
  }
  const owner = claim?.path ?? 'another data directory, whose service runs'
  throw new EmbeddedServerError(
    `The database in ${cluster} belongs to ${owner}, and this is ${here.path}. A copy of a data directory has no ` +
      `database of its own here: delete ${join(dataDir, LOCATION_FILE)} to begin with an empty one, and fill it with ` +
      '`upbeat restore` from a backup. If the other directory is gone, take its database over with ' +
      '`upbeat doctor --take-over`.',
  )
}

/**
 * Whether this is the same directory under another path. On another file system, a different one may have that inode.
 */
async function hasMoved(claim: Claim, here: Claim, dataDir: string): Promise<boolean> {
  if (claim.inode !== here.inode) return false
  const [there, ours] = [await inspect(claim.path), await inspect(dataDir)]
  return there === null || there.ino !== ours?.ino || there.dev === ours.dev
}

/** Whether its server is running, but held by no process through our directory. */
async function isUsedByOthers(cluster: string, holdLock: string): Promise<boolean> {
  if (!(await isServerRunning(cluster))) return false
  const alone = (await stat(holdLock).catch(absent)) ? tryExclusiveLock(holdLock) : { release() {} }
  alone?.release()
  return alone !== null
}

/** An external cluster, and whether its data directory still exists. */
export type ExternalCluster = { directory: string; dataDir: string | null; isOrphan: boolean }

/** All external clusters of this machine that we can read. */
export async function listExternalClusters(): Promise<ExternalCluster[]> {
  const entries = await readdir(SYSTEM_DIRECTORY).catch(() => [])
  const directories = entries.filter((entry) => entry.startsWith(PREFIX)).sort()
  return Promise.all(directories.map((entry) => describe(join(SYSTEM_DIRECTORY, entry))))
}

async function describe(directory: string): Promise<ExternalCluster> {
  const claim = await readClaim(directory).catch(() => null)
  const isOrphan = claim !== null && !(await isNamedBy(directory, claim.path))
  return { directory, dataDir: claim?.path ?? null, isOrphan }
}

/** Whether the data directory still exists and names this cluster. */
async function isNamedBy(directory: string, dataDir: string): Promise<boolean> {
  const location = await readLocation(dataDir).catch(() => 'out of sight')
  return location === 'out of sight' || location === join(directory, 'postgres')
}

/** Claims the cluster that a data directory names. Returns the directory it belonged to before. */
export async function takeOver(dataDir: string): Promise<string> {
  const cluster = await readLocation(dataDir)
  if (cluster === null) {
    throw new EmbeddedServerError(`${dataDir} names no database elsewhere: there is nothing to take over.`)
  }
  const outside = dirname(cluster)
  const [here, claim] = [await claimOf(dataDir), await readClaim(outside)]
  if (claim !== null && claim.path !== here.path && (await isNamedBy(outside, claim.path))) {
    throw new EmbeddedServerError(
      `${claim.path} is still there, and the database in ${cluster} is its own: delete that directory first, or ` +
        `its ${LOCATION_FILE}.`,
    )
  }
  if (await isServerRunning(cluster)) {
    throw new EmbeddedServerError(`The database in ${cluster} is in use: stop its service first.`)
  }
  await writeClaim(outside, here)
  return claim?.path ?? here.path
}

/** Permanently deletes a cluster whose data directory is gone. Refuses any other one, and that of `dataDir`. */
export async function removeExternalCluster(directory: string, dataDir: string): Promise<void> {
  const known = (await listExternalClusters()).find(
    (each) => each.directory === directory.replace(/\/+$/, ''),
  )
  if (!known)
    throw new EmbeddedServerError(`${directory} is no database that is kept in ${SYSTEM_DIRECTORY}.`)
  const cluster = join(known.directory, 'postgres')
  const isNamedHere = (await readLocation(dataDir)) === cluster
  if (isNamedHere || !known.isOrphan) {
    const owner = isNamedHere
      ? dataDir
      : (known.dataDir ?? 'a directory that only earlier versions have used')
    throw new EmbeddedServerError(`${known.directory} belongs to ${owner}: it stays.`)
  }
  if (await isServerRunning(cluster)) {
    throw new EmbeddedServerError(`The database in ${cluster} is in use: stop its service first.`)
  }
  await rm(known.directory, { recursive: true })
}

async function claimOf(dataDir: string): Promise<Claim> {
  const path = await realpath(dataDir)
  const { ino } = await stat(path, { bigint: true })
  return { path, inode: String(ino) }
}

async function readClaim(outside: string): Promise<Claim | null> {
  const text = await readFile(join(outside, CLAIM_FILE), 'utf8').catch(absent)
  return text === null ? null : JSON.parse(text)
}

/**
 * Writes to a new name first: the directory belongs to the server's user, who could have placed a link at the
 * final one.
 */
async function writeClaim(outside: string, claim: Claim): Promise<void> {
  const half = join(outside, `${CLAIM_FILE}.${randomBytes(8).toString('hex')}`)
  await writeFile(half, `${JSON.stringify(claim)}\n`, { flag: 'wx', mode: 0o644 })
  await rename(half, join(outside, CLAIM_FILE))
}

async function inspect(path: string): Promise<BigIntStats | null> {
  return stat(path, { bigint: true }).catch(() => null)
}

/** Null for a missing file; other errors are thrown. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
