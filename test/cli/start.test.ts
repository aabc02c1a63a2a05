import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../../src')

/** Every file and package that is loaded with a file, before it does anything. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  if (!file.endsWith('.ts')) return found
  const text = readFileSync(join(SRC, file), 'utf8')
  const imports = text.matchAll(/^(?:import|export) (?!type)[^;]*?from '([^']+)'/gms)
  for (const [, name = ''] of imports) {
    loadedWith(name.startsWith('.') ? relative(SRC, join(SRC, dirname(file), name)) : name, found)
  }
  return found
}

test('a command to a service elsewhere loads nothing of the database, the probes and the web server', () => {
  const loaded = [...loadedWith('main.ts')]
  assert.ok(loaded.includes('cli/client/http-client.ts'))
  const folders = /^(postgres|store|engine|net|probes|alerts|api|pages)\//
  const packages = /^(pg|kysely|koffi|hono|nodemailer|yaml|pino)\b/
  assert.deepEqual(
    loaded.filter((name) => folders.test(name) || packages.test(name)),
    // How the address of a database is written, for the configuration.
    ['postgres/database-url.ts'],
  )
})
