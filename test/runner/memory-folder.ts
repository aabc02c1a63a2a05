import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MEMORY = '/dev/shm'
const GIB = 1024 ** 3
/** More than the databases of all tests take at once, and what must be left of the machine besides. */
const NEEDED_BYTES = 4 * GIB
const NEEDED_MEMORY_BYTES = 8 * GIB

/**
 * A temporary folder in memory, gone when this process ends; null where there is no such place, or no room.
 * Tests make databases by the hundred, and a disk takes longer to find a place for their files than to write them.
 */
export function memoryFolder(): string | null {
  if (!canHold()) return null
  try {
    const folder = mkdtempSync(`${MEMORY}/upbeat-tests-`)
    // For everybody, as /tmp is: as root the databases run as somebody else, who makes and removes files there.
    chmodSync(folder, 0o1777)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return null
  }
}

/** Tests start programs from there as well, which some machines forbid. */
function canHold(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const options = mount?.split(' ')[3]?.split(',') ?? ['noexec']
    const fits = bavail * bsize >= NEEDED_BYTES && freemem() >= NEEDED_MEMORY_BYTES
    return fits && !options.includes('noexec')
  } catch {
    return false
  }
}
