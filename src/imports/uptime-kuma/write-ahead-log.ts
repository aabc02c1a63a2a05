import { open, rename, rm } from 'node:fs/promises'

const DATABASE = Buffer.from('SQLite format 3\0')
/** How a write-ahead log begins, by the order of bytes in its checksums. */
const LOGS = [0x377f0682, 0x377f0683]
/** How its index begins: a version, in the order of bytes of the machine. */
const INDEX_VERSION = 3_007_000

type Part = 'database' | 'log' | 'index' | 'other'

/**
 * Puts the write-ahead log of a database, which holds its latest changes, where SQLite looks for it, and returns the files that
 * are left to read. A file that is uploaded has no name: each part is known by how it begins. The files may be moved.
 */
export async function withWriteAheadLog(paths: string[]): Promise<string[]> {
  if (paths.length < 2) return paths
  const parts = await Promise.all(paths.map(async (path) => ({ path, is: await partOf(path) })))
  const of = (part: Part) => parts.filter(({ is }) => is === part).map(({ path }) => path)
  const [database, ...databases] = of('database')
  const [log, ...logs] = of('log')
  if (!database || !log || databases.length > 0 || logs.length > 0) return paths
  await rename(log, `${database}-wal`)
  // SQLite makes the index anew: the one of another machine would mislead it.
  for (const index of of('index')) await rm(index)
  return [database, ...of('other')]
}

async function partOf(path: string): Promise<Part> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(DATABASE.length) })
    if (buffer.equals(DATABASE)) return 'database'
    if (bytesRead < 4) return 'other'
    if (LOGS.includes(buffer.readUInt32BE())) return 'log'
    return [buffer.readUInt32LE(), buffer.readUInt32BE()].includes(INDEX_VERSION) ? 'index' : 'other'
  } finally {
    await file.close()
  }
}
