import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

const CACHE = join(import.meta.dirname, '../../../.cache')
const PREFIX = 'browser-'
/** A file of this name existed in earlier versions of the project. */
const FORMER_PREFIX = 'chromium-'
const PACKAGE = fileURLToPath(new URL('../..', import.meta.resolve('@sparticuz/chromium')))

/** The browser out of its npm package, unpacked once and whole: two that need it at once do not meet half of it. */
export async function chromiumProgram(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  // It puts things beside itself.
  const folder = join(CACHE, PREFIX + version)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  for (const name of await readdir(CACHE).catch(() => [])) {
    const isOurs = name.startsWith(PREFIX) || name.startsWith(FORMER_PREFIX)
    if (isOurs && name !== PREFIX + version) await rm(join(CACHE, name), { recursive: true, force: true })
  }
  await mkdir(folder, { recursive: true })
  const made = join(folder, `new-${process.pid}`)
  await pipeline(
    createReadStream(join(PACKAGE, 'bin/chromium.br')),
    createBrotliDecompress(),
    createWriteStream(made, { mode: 0o700 }),
  )
  await rename(made, program)
  return program
}
