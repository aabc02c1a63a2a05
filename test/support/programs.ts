import assert from 'node:assert/strict'
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { HANG_GUARD_MS } from './hang-guard.ts'

/** The most that a program may print. */
const MAX_OUTPUT_BYTES = 2 ** 28

/** The output of a program, which must succeed; `env` is its whole environment. */
export function runProgram(
  program: string,
  args: string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'input'> = {},
): { stdout: string; stderr: string } {
  const settings = {
    ...options,
    encoding: 'utf8',
    timeout: HANG_GUARD_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  } as const
  const { status, stdout, stderr, error } = spawnSync(program, args, settings)
  if (error && 'code' in error && error.code === 'ENOENT') assert.fail(`${program} is not installed`)
  if (error) throw error
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`)
  return { stdout, stderr }
}

/** The exports of a package that `npm install --global` has installed. */
export function requireGlobal(name: string): unknown {
  const { stdout } = runProgram('npm', ['root', '--global'], { env: process.env })
  return createRequire(join(stdout.trim(), 'any.js'))(name)
}
