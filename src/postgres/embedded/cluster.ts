import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedServerError } from './error.ts'
import type { ServerPlace } from './place.ts'
import { handOver, SYSTEM_ENVIRONMENT } from './system-user.ts'

const run = promisify(execFile)

const MAX_INITDB_MS = 60_000
export const SERVER_USER = 'upbeat'

const INITDB_OPTIONS = [
  `--username=${SERVER_USER}`,
  // Only the server's user and root can reach the socket: its directory has mode 0700.
  '--auth=trust',
  // Works without system locales.
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--encoding=UTF8',
  '--no-instructions',
]

/** A cluster moves to its place when it is complete. */
export async function isMade({ cluster }: ServerPlace): Promise<boolean> {
  return (await stat(join(cluster, 'PG_VERSION')).catch(() => null)) !== null
}

/** Creates the cluster, and removes partial ones of starts that were killed. */
export async function makeCluster(
  place: ServerPlace,
  binaries: string,
  note: (progress: string) => void,
): Promise<void> {
  note(`initializing the database in ${place.cluster} …`)
  const parent = dirname(place.cluster)
  if (await mkdir(parent, { recursive: true, mode: 0o700 })) await handOver(place.owner, parent)
  await removeHalfMade(parent, basename(place.cluster))

  const half = `${place.cluster}.new-${randomBytes(4).toString('hex')}`
  await mkdir(half, { mode: 0o700 })
  await handOver(place.owner, half)
  await initialize(place, binaries, half)
  await rename(half, place.cluster)
}

async function removeHalfMade(parent: string, name: string): Promise<void> {
  const left = (await readdir(parent)).filter((entry) => entry.startsWith(`${name}.new-`))
  // The initdb of a killed process may still be writing into one; it is removed next time.
  for (const entry of left) await rm(join(parent, entry), { recursive: true, force: true }).catch(() => {})
}

async function initialize(place: ServerPlace, binaries: string, directory: string): Promise<void> {
  const initdb = join(binaries, 'bin/initdb')
  const options = {
    ...place.owner.credentials,
    cwd: '/',
    env: SYSTEM_ENVIRONMENT,
    timeout: MAX_INITDB_MS,
  }
  try {
    // Syncing the finished files once is cheaper than after each step.
    await run(initdb, [...INITDB_OPTIONS, '--no-sync', '-D', directory], options)
    await run(initdb, ['--sync-only', '-D', directory], options)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw new EmbeddedServerError(explain(error, place))
  }
}

function explain(error: unknown, place: ServerPlace): string {
  const { stderr = '', message } = error as { stderr?: string; message: string }
  if (stderr.includes('could not look up effective user ID')) {
    return (
      `PostgreSQL cannot be initialized by ${place.owner.name}, which has no entry in /etc/passwd. ` +
      'Add one, run as a user who has one, or set DATABASE_URL.'
    )
  }
  return `initdb failed in ${place.cluster}: ${stderr.trim() || message}`
}
