import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * A lock between processes, on a file of its own. It is an open SQLite transaction without any data,
 * because the kernel ends that with its process, however the process dies: there are no stale locks.
 */
export type FileLock = {
  /** Harmless when it has been released already. */
  release(): void
}

/** Nobody else holds the file at all; null when somebody does. */
export function tryExclusiveLock(path: string): FileLock | null {
  return tryLock(path, 'BEGIN EXCLUSIVE')
}

/** Any number of processes may share the file; null while somebody holds it alone. */
export function trySharedLock(path: string): FileLock | null {
  return tryLock(path, 'BEGIN; SELECT 1 FROM sqlite_schema')
}

function tryLock(path: string, statement: string): FileLock | null {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec(statement)
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw error
  }
  return {
    release() {
      if (database.isOpen) database.close()
    },
  }
}
