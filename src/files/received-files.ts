import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The content is not as long as its files. */
export class WrongLength extends Error {}

export type ReceivedFiles = { paths: string[]; remove: () => Promise<void> }

const PREFIX = 'upbeat-received-'
/** Longer than anyone reads such files: what is older was left by a process that ended amid it. */
const LEFT_AFTER_MS = 600_000

/**
 * Writes files that come one directly behind the other into a folder of its own, which nobody else may read and which the
 * caller removes. Throws a `WrongLength`, or the error of the content, having removed it.
 */
export async function receiveFiles(
  content: AsyncIterable<Uint8Array>,
  sizes: readonly number[],
): Promise<ReceivedFiles> {
  await removeLeftOnes()
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    return { paths: await write(folder, content, sizes), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function write(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  sizes: readonly number[],
): Promise<string[]> {
  const chunks = content[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  const paths: string[] = []
  for (const [index, size] of sizes.entries()) {
    const path = join(folder, String(index))
    const file = await open(path, 'wx', 0o600)
    try {
      for (let missing = size; missing > 0; ) {
        if (rest.length === 0) {
          const next = await chunks.next()
          if (next.done) throw new WrongLength(`file ${index} lacks ${missing} bytes`)
          rest = next.value
        }
        const part = rest.subarray(0, missing)
        await file.writeFile(part)
        missing -= part.length
        rest = rest.subarray(part.length)
      }
    } finally {
      await file.close()
    }
    paths.push(path)
  }
  while (rest.length === 0) {
    const next = await chunks.next()
    if (next.done) return paths
    rest = next.value
  }
  await chunks.return?.()
  throw new WrongLength('there is more than the files have')
}

async function removeLeftOnes(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX))
  for (const path of names.map((name) => join(tmpdir(), name))) {
    // Another process may remove it at the same moment, or it may be of another user.
    const made = await stat(path).catch(() => null)
    if (made && Date.now() - made.mtimeMs > LEFT_AFTER_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
