import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, say } from './bootstrap.mjs'
import { holdInstallLock } from './install-lock.mjs'
import { nodeFlags, pinnedNode } from './runtime.mjs'

/** Everything that the built dashboard depends on. */
const SOURCES = ['dashboard', 'src/core', 'src/contract', 'src/pages/look', 'package-lock.json']
const NO_SOURCES = ['dist']

/** Builds the dashboard, unless the last build was made from identical sources. */
export async function ensureDashboard(root) {
  if (!existsSync(join(root, 'dashboard/vite.config.ts'))) return
  const stamp = join(root, 'dashboard/dist/.made-of')
  if (isMadeOf(stamp, fingerprint(root))) return
  const lock = await holdInstallLock(root, say).catch((error) => fail(`Cannot build here: ${error.message}`))
  try {
    // Another start may have built it while we waited.
    if (!isMadeOf(stamp, fingerprint(root))) await build(root, stamp, lock)
  } finally {
    lock.release()
  }
}

function isMadeOf(stamp, sources) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources
}

function fingerprint(root) {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesIn(root, source)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(root, source) {
  if (!existsSync(join(root, source))) return []
  if (/\.\w+$/.test(source)) return [source]
  return readdirSync(join(root, source), { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.includes(name))
    .flatMap((entry) => {
      const path = `${source}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, path) : [path]
    })
}

async function build(root, stamp, lock) {
  say('Building the dashboard …')
  const began = Date.now()
  const made = fingerprint(root)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [...nodeFlags, vite, 'build', 'dashboard', '--logLevel', 'warn']
  const child = spawn(pinnedNode(root), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  lock.coverProcess(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', resolve)
  })
  if (code !== 0) fail(`The dashboard could not be built (${code}). The build said:\n\n${output.trim()}`)
  writeFileSync(stamp, made)
  say(`Built in ${Math.max(1, Math.round((Date.now() - began) / 1_000))} s.`)
}
