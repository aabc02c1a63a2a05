import { spawn } from 'node:child_process'
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
import { fingerprint, keepBuilt, lastBuilt } from './sources.mjs'

const STAMP = '.made-of'
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

const SOURCES = ['src', 'docs', 'agent', 'bin', 'CHANGELOG.md', 'package.json', 'package-lock.json']

/** The program in bundles, and all files that it reads: `npm start` runs it. */
const RELEASE = {
  what: 'the release',
  sources: [...SOURCES, `dashboard/dist/${STAMP}`],
  folderOf: (made) => `dist/${made.slice(0, 16)}`,
  command: (out) => ['bin/bundle.mjs', out],
}

/** All that a release is made of, with the dashboard in it. */
const RELEASE_SOURCES = [...SOURCES, 'dashboard']

/** Builds the dashboard, unless it was made from identical sources. */
export async function ensureDashboard(root) {
  await ensureBuilt(root, DASHBOARD)
}

/** Builds the release as well, in the same way. Returns its entry. */
export async function ensureRelease(root) {
  return (
    unchangedEntry(root) ??
    keepBuilt(root, RELEASE_SOURCES, async () => {
      await ensureDashboard(root)
      return entryOf(await ensureBuilt(root, RELEASE))
    })
  )
}

/** The entry of the release that was made from these sources; null if there is none. */
export function builtEntry(root) {
  const unchanged = unchangedEntry(root)
  if (unchanged !== null) return unchanged
  const { folder, isBuilt } = lookUp(root, RELEASE)
  return isBuilt ? entryOf(folder) : null
}

function unchangedEntry(root) {
  const entry = lastBuilt(root, RELEASE_SOURCES)
  return entry !== null && existsSync(join(entry, '../..', STAMP)) ? entry : null
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
