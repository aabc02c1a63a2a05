import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Scope } from '../scope.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RECORD = 'test/long/release-before.json'
/** No service reads these. */
const WITHOUT = [':!test', ':!bench']
const run = promisify(execFile)

/**
 * The code of the release before this one, from the history of the project, with the packages of this one; `main` is the
 * entry of its command line.
 */
export async function placeReleaseBefore(scope: Pick<Scope, 'after'>): Promise<{ main: string }> {
  const { commit } = JSON.parse(readFileSync(join(ROOT, RECORD), 'utf8')) as { commit: string }
  assert.match(commit, /^[0-9a-f]{40}$/, `${RECORD} names a commit by its whole hash`)
  await assertInHistory(commit)
  const folder = temporaryFolder(scope)
  const archive = join(folder, 'release.tar')
  await git('archive', '--format=tar', `--output=${archive}`, commit, '.', ...WITHOUT)
  await run('tar', ['-xf', archive, '-C', folder])
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { main: join(folder, 'src/main.ts') }
}

async function assertInHistory(commit: string): Promise<void> {
  if (await isDone(git('merge-base', '--is-ancestor', commit, 'HEAD'))) return
  const isShallow = await git('rev-parse', '--is-shallow-repository').catch(() => 'unknown')
  // A clone for CI often has the newest commits alone, and can have the others for the asking.
  if (isShallow === 'true' && (await isDone(git('fetch', '--quiet', '--unshallow')))) return
  const remedy =
    isShallow === 'true'
      ? 'This clone is shallow: git fetch --unshallow'
      : `The test needs git and a clone with its history, and ${RECORD} a commit in it.`
  assert.fail(`The release before, ${commit}, is not in the history here. ${remedy}`)
}

function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: ROOT })
  return stdout.trim()
}
