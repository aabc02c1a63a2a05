import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'secret.key'

export function secretKeyFile(dataDir: string): string {
  return join(dataDir, FILE)
}

/** The key in the data directory, created on the first start; only its owner can read it. */
export async function readOrCreateSecretKey(dataDir: string): Promise<string> {
  const file = secretKeyFile(dataDir)
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
