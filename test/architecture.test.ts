import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const LONGEST_FILE = 400
const LONGEST_MEDIAN = 100

type Source = { path: string; folder: string; text: string; imports: string[] }

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const text = readFileSync(join(SRC, file), 'utf8')
    const imports = [...text.matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'([^']+)'/gm)].map(
      ([, name]) => name as string,
    )
    return { path: file, folder: dirname(file), text, imports }
  })

/** The table of ARCHITECTURE.md: folder to what it may import. */
function readTable(): Map<string, { folders: string[]; packages: string[] }> {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const section = text.split('## Who may import whom')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (\w+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  const names = (cell = '') =>
    cell
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '–')
  return new Map(
    rows.map(([, folder, folders, packages]) => [
      folder as string,
      { folders: names(folders), packages: names(packages) },
    ]),
  )
}

describe('the architecture', () => {
  const table = readTable()
  table.delete('folder')

  it('has the folders that ARCHITECTURE.md lists, two levels deep', () => {
    const folders = new Set(sources.map(({ folder }) => folder).filter((folder) => folder !== '.'))
    assert.deepEqual([...folders].sort(), [...table.keys()].sort())
  })

  it('imports only what the table allows', () => {
    const wrong = sources.flatMap(({ path, folder, imports }) => {
      const allowed = table.get(folder)
      if (!allowed) return []
      return imports
        .filter((name) => !isAllowed(name, path, folder, allowed))
        .map((name) => `${path}: ${name}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('allows nothing that is not used', () => {
    const unused = [...table].flatMap(([folder, { folders, packages }]) => {
      const used = new Set(sources.filter((source) => source.folder === folder).flatMap(usedNames))
      return [...folders, ...packages].filter((name) => !used.has(name)).map((name) => `${folder}: ${name}`)
    })
    assert.deepEqual(unused, [])
  })

  it('has no import cycles between files that run', () => {
    assert.deepEqual(findCycles(), [])
  })

  it('keeps clocks, randomness and I/O out of core', () => {
    const impure =
      /\bnew Date\(\)|Date\.now|Math\.random|performance\.|\bfetch\(|\bcrypto\.|setTimeout|process\./
    const wrong = sources.filter(({ folder, text }) => folder === 'core' && impure.test(text))
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

  it('reads the environment in config.ts only', () => {
    const wrong = sources.filter(({ path, text }) => path !== 'config.ts' && /process\.env/.test(text))
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

  it('keeps SQL in store', () => {
    const sql = /\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/
    const wrong = sources.filter(({ folder, text }) => folder !== 'store' && sql.test(text))
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

  it('keeps files short', () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    assert.deepEqual(
      lengths.filter(({ lines }) => lines > LONGEST_FILE),
      [],
    )
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b)
    assert.ok((sorted[sorted.length >> 1] ?? 0) < LONGEST_MEDIAN)
  })
})

function isAllowed(
  name: string,
  path: string,
  folder: string,
  allowed: { folders: string[]; packages: string[] },
): boolean {
  if (name.startsWith('node:')) return folder !== 'core' && folder !== 'contract'
  if (!name.startsWith('.')) return allowed.packages.includes(packageOf(name))
  const target = dirname(relative(SRC, resolve(SRC, dirname(path), name)))
  return target === folder || allowed.folders.includes(target)
}

function usedNames({ path, imports }: Source): string[] {
  return imports.map((name) =>
    name.startsWith('.') ? dirname(relative(SRC, resolve(SRC, dirname(path), name))) : packageOf(name),
  )
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Imports of types vanish when the code runs, so they make no cycle. */
function findCycles(): string[] {
  const edges = new Map(
    sources.map(({ path, text }) => {
      const running = [...text.matchAll(/^(?:import|export) (?!type)[^;]*?from '(\.[^']+)'/gms)]
      return [path, running.map(([, name]) => relative(SRC, resolve(SRC, dirname(path), name as string)))]
    }),
  )
  const cycles: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'open') cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (state.has(path)) return
    state.set(path, 'open')
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of edges.keys()) visit(path, [])
  return cycles
}
