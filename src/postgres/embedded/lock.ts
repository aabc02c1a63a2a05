import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * A lock between processes, on its own file. It is an open SQLite transaction without data: the kernel
 * releases it when the process ends in any way, so there are no stale locks.
 */
export type FileLock = {
  /** Harmless if already released. */
  release(): void
}

/** Null if any other process holds the file. */
export function tryExclusiveLock(path: string): FileLock | null {
  return tryLock(path, 'BEGIN EXCLUSIVE')
}

/** Any number of processes may share the file; null while another holds it exclusively. */
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
