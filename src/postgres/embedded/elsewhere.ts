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
import type { Identity } from './identity.ts'
import { handOver } from './identity.ts'
import { isServerRunning } from './leftovers.ts'
import { tryExclusiveLock } from './lock.ts'

/*
 * Where root runs the service, and the server's user cannot enter the data directory, the cluster is kept elsewhere,
 * and a file of the data directory names it. A copy of that directory names it as well: so the cluster knows whose it
 * is, and nobody else gets it.
 */

const LOCATION_FILE = 'postgres-location'
const CLAIM_FILE = 'data-directory'
const PREFIX = 'cluster-'

/** The data directory that a cluster belongs to. Its path may change, or its inode, but not both at a time. */
type Claim = { path: string; inode: string }

/** Where the cluster of that directory is kept; null when it was never said to be elsewhere. */
export async function readLocation(dataDir: string): Promise<string | null> {
  return (await readFile(join(dataDir, LOCATION_FILE), 'utf8').catch(absent))?.trim() || null
}

/** Makes a place for the cluster of that directory, which its owner can enter. */
export async function makeElsewhere(dataDir: string, owner: Identity): Promise<string> {
  if (await mkdir(SYSTEM_DIRECTORY, { recursive: true })) await chmod(SYSTEM_DIRECTORY, 0o711)
  // A random name: when dataDir is deleted and made anew, the old data must not come back.
  const outside = await mkdtemp(join(SYSTEM_DIRECTORY, PREFIX))
  await writeClaim(outside, await claimOf(dataDir))
  await handOver(owner, outside)
  await writeFile(join(dataDir, LOCATION_FILE), `${outside}/postgres\n`)
  return join(outside, 'postgres')
}

/** Throws unless the cluster belongs to that directory. `note` hears when the directory has moved. */
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
  // One of an earlier version does not know whose it is, and belongs to the first who comes.
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

/** The same directory under another name; on another file system another one may have that inode. */
async function hasMoved(claim: Claim, here: Claim, dataDir: string): Promise<boolean> {
  if (claim.inode !== here.inode) return false
  const [there, ours] = [await inspect(claim.path), await inspect(dataDir)]
  return there === null || there.ino !== ours?.ino || there.dev === ours.dev
}

/** A server runs for it, and nobody holds it by way of our directory. */
async function isUsedByOthers(cluster: string, holdLock: string): Promise<boolean> {
  if (!(await isServerRunning(cluster))) return false
  const alone = (await stat(holdLock).catch(absent)) ? tryExclusiveLock(holdLock) : { release() {} }
  alone?.release()
  return alone !== null
}

/** A cluster that is kept elsewhere, and what became of the directory it belongs to. */
export type Elsewhere = { directory: string; dataDir: string | null; isOrphan: boolean }

/** All of this machine, as far as we may look. */
export async function listElsewhere(): Promise<Elsewhere[]> {
  const entries = await readdir(SYSTEM_DIRECTORY).catch(() => [])
  const directories = entries.filter((entry) => entry.startsWith(PREFIX)).sort()
  return Promise.all(directories.map((entry) => describe(join(SYSTEM_DIRECTORY, entry))))
}

async function describe(directory: string): Promise<Elsewhere> {
  const claim = await readClaim(directory).catch(() => null)
  const isOrphan = claim !== null && !(await isNamedBy(directory, claim.path))
  return { directory, dataDir: claim?.path ?? null, isOrphan }
}

/** Whether the directory that it belongs to is there and still names it. */
async function isNamedBy(directory: string, dataDir: string): Promise<boolean> {
  const location = await readLocation(dataDir).catch(() => 'out of sight')
  return location === 'out of sight' || location === join(directory, 'postgres')
}

/** Makes the cluster that a data directory names its own; returns the directory that it belonged to. */
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

/** Deletes a cluster for good whose data directory is gone; any other one, and that of `dataDir`, is refused. */
export async function removeElsewhere(directory: string, dataDir: string): Promise<void> {
  const known = (await listElsewhere()).find((each) => each.directory === directory.replace(/\/+$/, ''))
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

/** Under a new name first, which nobody can have put a link at: the directory belongs to the server's user. */
async function writeClaim(outside: string, claim: Claim): Promise<void> {
  const half = join(outside, `${CLAIM_FILE}.${randomBytes(8).toString('hex')}`)
  await writeFile(half, `${JSON.stringify(claim)}\n`, { flag: 'wx', mode: 0o644 })
  await rename(half, join(outside, CLAIM_FILE))
}

async function inspect(path: string): Promise<BigIntStats | null> {
  return stat(path, { bigint: true }).catch(() => null)
}

/** What is not there is no failure; what cannot be read is. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
