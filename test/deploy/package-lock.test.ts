import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

type Entry = { integrity?: string; inBundle?: boolean; link?: boolean }

const LOCK = join(import.meta.dirname, '../../package-lock.json')

it('every locked package is known by its content, on every system', () => {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Entry> }
  const entries = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link)
  assert.ok(entries.length > 300, String(entries.length))
  const unknown = entries.filter(([path, { integrity, inBundle }]) =>
    // The hash of a package also covers the packages bundled in it.
    inBundle ? !packages[bundlerOf(path)]?.integrity : !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  )
  assert.deepEqual(
    unknown.map(([path]) => path),
    [],
  )
})

/** The package that a bundled one comes within: the one whose folder holds it. */
function bundlerOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/node_modules/'))
}
