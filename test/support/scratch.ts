import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The `f_type` of a file system in memory, see statfs(2). */
const TMPFS = 0x01021994
const GIB = 1024 ** 3
/** What the clusters of all groups of tests take at most, and what must be left of the machine besides. */
const NEEDED_BYTES = 4 * GIB
const NEEDED_MEMORY_BYTES = 8 * GIB

let parent: Promise<string> | undefined

/**
 * A folder for a database of a test: in memory where there is plenty. A cluster is a thousand files, and to make and
 * remove them on a disk, for each of many services, costs as much processor time as to start the service.
 */
export async function makeScratch(prefix: string): Promise<string> {
  parent ??= findParent()
  return mkdtemp(join(await parent, prefix))
}

async function findParent(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => null)
  if (found === null || found.type !== TMPFS) return tmpdir()
  const fits = found.bavail * found.bsize >= NEEDED_BYTES && process.availableMemory() >= NEEDED_MEMORY_BYTES
  return fits ? MEMORY : tmpdir()
}
