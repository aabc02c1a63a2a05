// Runs a program of this project, as `npm run` does: on the pinned Node, with its dependencies installed.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { ensureDashboard, ensureRelease } from './ensure-built.mjs'
import { nodeFlags, pinnedNode, runtimeEnvironment } from './runtime.mjs'

/** Ends this process with the exit code of the program, which gets our arguments and signals. */
export async function runProgram(file, { withDev, withDashboard = false, withRelease = false }) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  await ensureInstalled(root, { withDev })
  if (withDashboard) await ensureDashboard(root)
  // The program that services are started with, for what measures them.
  const entry = withRelease && { TEST_ENTRY: await ensureRelease(root) }
  const child = spawn(pinnedNode(root), [...nodeFlags, join(root, file), ...process.argv.slice(2)], {
    env: { ...entry, ...runtimeEnvironment(root) },
    stdio: 'inherit',
  })
  // A Ctrl-C reaches the child directly, other signals go through us. The child cleans up before it ends.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code ?? 1))
}
