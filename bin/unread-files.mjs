import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Files of packages that nothing reads when they run: maps, types and sources of TypeScript (Node runs none of a
 * package's), headers, sources and archives of C, modules for another runtime, and texts other than licenses.
 */
const UNREAD = /\.(?:map|[cm]?tsx?|flow|tsbuildinfo|hh?|cc?|a|bare)$|^(?:readme|changelog|history)\.md$/i

/** Removes them from an installation without the packages of the tests, whose type check reads types: a third of it. */
export function removeUnreadFiles(root) {
  try {
    clear(join(root, 'node_modules'))
  } catch {
    // They only take space.
  }
}

/** True if nothing is left in it. */
function clear(folder) {
  let isEmpty = true
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const isGone = entry.isDirectory() ? clear(path) : entry.isFile() && UNREAD.test(entry.name)
    if (isGone && entry.isFile()) rmSync(path)
    isEmpty &&= isGone
  }
  if (isEmpty) rmdirSync(folder)
  return isEmpty
}
