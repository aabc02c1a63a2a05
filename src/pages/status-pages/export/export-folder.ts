import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { ExportFiles } from './page-files.ts'

/** Marks a folder that we wrote, with the id of its page: no other is ever removed. */
const MARK = '.upbeat-status-page'
/** Names of what is being written or removed. */
const TEMPORARY = '.upbeat-tmp-'
const LEFT_OVER_AFTER_MS = 3_600_000

/**
 * Writes a page to its folder below `root`. The folder is complete at any moment, also if the process is killed: a new one
 * appears as a whole, and in one that is there each file is replaced at once, `index.html` last. Returns how many files
 * were written; those that are the same already are left alone.
 */
export async function writePageFolder(
  root: string,
  page: { id: number; slug: string },
  files: ExportFiles,
): Promise<number> {
  const folder = join(root, page.slug)
  await mkdir(root, { recursive: true })
  const mark = await readMark(folder)
  if (mark === null) return writeNewFolder(root, folder, page.id, files)
  let written = 0
  for (const [path, content] of files) {
    if (await replaceFile(join(folder, path), content)) written++
  }
  await replaceFile(join(folder, MARK), Buffer.from(`${page.id}\n`))
  await removeOthers(folder, files)
  return written
}

/** Removes the folders of pages that are no longer public; returns their names. */
export async function removeOtherFolders(root: string, slugs: ReadonlySet<string>): Promise<string[]> {
  const removed: string[] = []
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name)
    if (name.startsWith(TEMPORARY)) await removeLeftOver(folder)
    else if (!slugs.has(name) && (await readMark(folder)) !== null) {
      await removeFolder(root, folder)
      removed.push(name)
    }
  }
  return removed
}

async function writeNewFolder(root: string, folder: string, id: number, files: ExportFiles): Promise<number> {
  const temporary = join(root, TEMPORARY + randomUUID())
  for (const [path, content] of [...files, [MARK, Buffer.from(`${id}\n`)] as const]) {
    await mkdir(dirname(join(temporary, path)), { recursive: true })
    await writeFile(join(temporary, path), content)
  }
  // Fails where a folder that is not ours has the name: it stays.
  await rename(temporary, folder).catch(async (error) => {
    await rm(temporary, { recursive: true, force: true })
    throw new Error(`${folder} cannot be written: there is something else (${error.code})`)
  })
  return files.size
}

/** False if it has the content already. */
async function replaceFile(path: string, content: Buffer): Promise<boolean> {
  if ((await readFile(path).catch(() => null))?.equals(content)) return false
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(dirname(path), TEMPORARY + randomUUID())
  await writeFile(temporary, content)
  await rename(temporary, path)
  return true
}

async function removeOthers(folder: string, files: ExportFiles): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll(sep, '/')
    if (entry.isFile() && name !== MARK && !files.has(name)) await rm(path, { force: true })
  }
}

/** Removes the folder of a process that was killed; a young one may be in use. */
async function removeLeftOver(folder: string): Promise<void> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
  if (Date.now() - mtimeMs > LEFT_OVER_AFTER_MS) await rm(folder, { recursive: true, force: true })
}

/** Out of sight at once. */
async function removeFolder(root: string, folder: string): Promise<void> {
  const hidden = join(root, TEMPORARY + randomUUID())
  await rename(folder, hidden)
  await rm(hidden, { recursive: true, force: true })
}

async function readMark(folder: string): Promise<string | null> {
  return readFile(join(folder, MARK), 'utf8').catch(() => null)
}
