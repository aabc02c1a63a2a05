// `npm run bench`: measures on this machine and prints one table. Arguments: see bench/options.ts, or --help.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { nodeFlags, pinnedNode, runtimeEnvironment } from './runtime.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await ensureInstalled(root, { withDev: false })
const child = spawn(pinnedNode(root), [...nodeFlags, join(root, 'bench/run.ts'), ...process.argv.slice(2)], {
  env: runtimeEnvironment(root),
  stdio: 'inherit',
})
// A Ctrl-C reaches the child by itself, other signals through us. It cleans up before it ends.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code) => process.exit(code ?? 1))
