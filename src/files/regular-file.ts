import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A path leads to something other than a file, or to a file that is too large. The message is a whole sentence. */
export class UnfitFile extends Error {}

/**
 * Opening a named pipe waits for its other end, and opening a terminal may make it this process's: neither may happen
 * before it is known that there is a file. Windows has neither flag.
 */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
const CHUNK_BYTES = 64 * 1_024

/**
 * Opens a file for reading and judges what was opened, so that nothing can be put in its place in between. Throws an
 * `UnfitFile`, or the error of the file system.
 */
export async function openRegularFile(path: string): Promise<{ handle: FileHandle; bytes: number }> {
  const handle = await open(path, WITHOUT_WAITING).catch((error) => explain(error, path))
  try {
    const stats = await handle.stat()
    refuseOthers(stats, path)
    return { handle, bytes: stats.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The content of a file. It is counted while it is read: files of the system have no size, and a file may grow. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const { handle, bytes } = await openRegularFile(path)
  try {
    if (bytes > maxBytes) throw tooLarge(path, maxBytes)
    const chunks: Buffer[] = []
    for (let length = 0; ; ) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES) })
      if (bytesRead === 0) return Buffer.concat(chunks)
      length += bytesRead
      if (length > maxBytes) throw tooLarge(path, maxBytes)
      chunks.push(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

/** Like `readRegularFile`, for settings, which are read before anything else runs. */
export function readRegularFileSync(path: string, maxBytes: number): Buffer {
  const file = openAtOnce(path)
  try {
    const stats = fstatSync(file)
    refuseOthers(stats, path)
    if (stats.size > maxBytes) throw tooLarge(path, maxBytes)
    const chunks: Buffer[] = []
    for (let length = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const read = readSync(file, chunk)
      if (read === 0) return Buffer.concat(chunks)
      length += read
      if (length > maxBytes) throw tooLarge(path, maxBytes)
      chunks.push(chunk.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

function openAtOnce(path: string): number {
  try {
    return openSync(path, WITHOUT_WAITING)
  } catch (error) {
    return explain(error, path)
  }
}

/** A socket cannot be opened at all, and a device may have nothing behind it. */
function explain(error: unknown, path: string): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENXIO' || code === 'EOPNOTSUPP')
    throw new UnfitFile(`${path} is a socket or a device: ${TAKES_FILE}`)
  throw error
}

function refuseOthers(stats: Stats, path: string): void {
  if (stats.isFile()) return
  const kind = stats.isDirectory() ? 'a directory' : stats.isFIFO() ? 'a pipe' : 'a socket or a device'
  throw new UnfitFile(`${path} is ${kind}: ${TAKES_FILE}`)
}

function tooLarge(path: string, maxBytes: number): UnfitFile {
  return new UnfitFile(`${path} is larger than the ${sizeOf(maxBytes)} that are read`)
}

/** A bound as people say it. */
export function sizeOf(bytes: number): string {
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / 1_024} KiB`
}

const MIB = 1_024 * 1_024
const TAKES_FILE = 'it takes the path of a file'
