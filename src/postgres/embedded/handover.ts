import { execFile } from 'node:child_process'
import { chmod, lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { clearLeftovers } from './leftovers.ts'
import { tryExclusiveLock } from './lock.ts'
import { findPlace, type ServerPlace } from './place.ts'
import { findNobody, mayExecute, ownSystemUser, SYSTEM_ENVIRONMENT } from './system-user.ts'

const run = promisify(execFile)

const POLL_MS = 50
/** Another process may be starting the server at the moment. */
const MAX_WAIT_MS = 60_000
const MAX_CHANGE_MS = 60_000

/**
 * Hands a cluster owned by `nobody` to our own system user. Earlier versions ran as `nobody`, which other
 * services of a machine use, too. Nothing else changes, and a cluster in use stays as it is.
 */
export async function handOverCluster(
  place: ServerPlace,
  note: (progress: string) => void,
): Promise<ServerPlace> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (let current = place; ; current = await findPlace(place.dataDir, note)) {
    if (!(await isOwnedByNobody(current)) || Date.now() > deadline) return current
    const lock = tryExclusiveLock(current.startLock)
    if (lock === null) {
      await sleep(POLL_MS)
      continue
    }
    try {
      if (!(await changeOwner(current, note))) return current
    } finally {
      lock.release()
    }
  }
}

async function isOwnedByNobody({ owner, cluster }: ServerPlace): Promise<boolean> {
  if (!owner.switches || owner.uid !== (await findNobody()).uid) return false
  return (await stat(cluster).catch(() => null)) !== null
}

/** False if the owner stays the same. */
async function changeOwner(place: ServerPlace, note: (progress: string) => void): Promise<boolean> {
  const alone = tryExclusiveLock(place.holdLock)
  alone?.release()
  const own = await ownSystemUser()
  if (alone === null || own.uid === place.owner.uid) return false
  const outside = dirname(place.cluster)
  // The new owner must be able to reach the cluster; a directory of its own changes owner with it.
  const way = outside === place.dataDir ? outside : dirname(outside)
  if (!(await mayExecute(own, way))) return false
  await clearLeftovers(place)
  try {
    // Lets both users pass, in case the change is interrupted.
    if (outside !== place.dataDir) await chmod(outside, 0o711)
    await chownAll(place.cluster, own)
    if (outside !== place.dataDir) await lchown(outside, own.uid, own.gid)
    await lchown(place.cluster, own.uid, own.gid)
  } catch (error) {
    await chownAll(place.cluster, place.owner).catch(() => {})
    note(`the database in ${place.cluster} stays with ${place.owner.name}: ${(error as Error).message}`)
    return false
  }
  note(`the database in ${place.cluster} belongs to ${own.name} from now on`)
  return true
}

/**
 * Changes the contents but not the cluster directory itself, whose owner marks the change as complete. Links
 * are not followed.
 */
async function chownAll(cluster: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const paths = (await readdir(cluster)).map((entry) => join(cluster, entry))
  await run('chown', ['-R', '-h', `${uid}:${gid}`, '--', ...paths], {
    cwd: '/',
    env: SYSTEM_ENVIRONMENT,
    timeout: MAX_CHANGE_MS,
  })
}
