import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, say } from './bootstrap.mjs'
import { holdInstallLock } from './install-lock.mjs'
import { nodeFlags, pinnedNode } from './runtime.mjs'

const STAMP = '.made-of'
/** Nothing that is built is a source, nor is it copied from one build into another. */
const NO_SOURCES = ['dist']
/** A service goes on with the release that it began with, so the last ones stay when there is a newer one. */
const KEPT_RELEASES = 3

const DASHBOARD = {
  what: 'the dashboard',
  sources: ['dashboard', 'src/core', 'src/contract', 'src/pages/look', 'package-lock.json'],
  folderOf: () => 'dashboard/dist',
  command: (out) => [
    ...['node_modules/vite/bin/vite.js', 'build', 'dashboard'],
    ...['--outDir', out, '--emptyOutDir', '--logLevel', 'warn'],
  ],
}

/** The program in bundles, and all files that it reads: `npm start` runs it. */
const RELEASE = {
  what: 'the release',
  sources: [
    ...['src', 'docs', 'agent', 'bin', `dashboard/dist/${STAMP}`],
    ...['CHANGELOG.md', 'package.json', 'package-lock.json'],
  ],
  folderOf: (made) => `dist/${made.slice(0, 16)}`,
  command: (out) => ['bin/bundle.mjs', out],
}

/** Builds the dashboard, unless it was made from identical sources. */
export async function ensureDashboard(root) {
  await ensureBuilt(root, DASHBOARD)
}

/** Builds the release as well, in the same way. Returns its entry. */
export async function ensureRelease(root) {
  await ensureDashboard(root)
  const folder = await ensureBuilt(root, RELEASE)
  return entryOf(folder)
}

/** The entry of the release that was made from these sources; null if there is none. */
export function builtEntry(root) {
  const { folder, isBuilt } = lookUp(root, RELEASE)
  return isBuilt ? entryOf(folder) : null
}

function entryOf(folder) {
  return join(folder, 'src/main.js')
}

/** Returns the folder. */
async function ensureBuilt(root, what) {
  const found = lookUp(root, what)
  if (found.isBuilt) return found.folder
  const lock = await holdInstallLock(root, say).catch((error) => fail(`Cannot build here: ${error.message}`))
  try {
    // Another start may have built it while we waited.
    const left = lookUp(root, what)
    if (!left.isBuilt) await build(root, what, left, lock)
    return left.folder
  } finally {
    lock.release()
  }
}

function lookUp(root, { sources, folderOf }) {
  const made = fingerprint(root, sources)
  const folder = join(root, folderOf(made))
  const stamp = join(folder, STAMP)
  return { made, folder, isBuilt: existsSync(stamp) && readFileSync(stamp, 'utf8') === made }
}

function fingerprint(root, sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(root, source)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(root, source) {
  const found = statSync(join(root, source), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [source] : []
  return readdirSync(join(root, source), { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.includes(name))
    .flatMap((entry) => {
      const path = `${source}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, path) : [path]
    })
}

/** Builds elsewhere and moves the whole to its place, so that nobody meets a half of it. */
async function build(root, { what, folderOf, command }, { made, folder }, lock) {
  say(`Building ${what} …`)
  const began = Date.now()
  // As deep as a release: maps name sources by their way from there.
  const out = join(root, '.cache/build')
  rmSync(out, { recursive: true, force: true })
  const child = spawn(pinnedNode(root), [...nodeFlags, ...command(out)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  lock.coverProcess(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', resolve)
  })
  if (code !== 0) {
    const [first, ...rest] = what
    fail(
      `${first.toUpperCase()}${rest.join('')} could not be built (${code}). The build said:\n\n${output.trim()}`,
    )
  }
  writeFileSync(join(out, STAMP), made)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  renameSync(out, folder)
  if (folderOf === RELEASE.folderOf) removeOldReleases(dirname(folder))
  say(`Built in ${Math.max(1, Math.round((Date.now() - began) / 1_000))} s.`)
}

function removeOldReleases(folder) {
  const age = (path) => statSync(path).mtimeMs
  const oldestLast = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort((a, b) => age(b) - age(a))
  for (const path of oldestLast.slice(KEPT_RELEASES)) rmSync(path, { recursive: true, force: true })
}
