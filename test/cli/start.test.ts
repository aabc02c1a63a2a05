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

function loadedWithAll(...files: string[]): string[] {
  return [...new Set(files.flatMap((file) => [...loadedWith(file)]))]
}

test('a command to a service elsewhere loads nothing of the database, the probes and the web server', () => {
  const loaded = loadedWithAll('main.ts', 'cli/program.ts', 'cli/terminal.ts', 'roles/deployment.ts')
  assert.ok(loaded.includes('cli/client/http-client.ts'))
  const folders = /^(postgres|store|engine|net|probes|alerts|api|pages)\//
  const packages = /^(pg|kysely|koffi|hono|nodemailer|yaml|pino)\b/
  assert.deepEqual(
    loaded.filter((name) => folders.test(name) || packages.test(name)),
    // How the address of a database is written, for the configuration.
    ['postgres/database-url.ts'],
  )
})

test('a start of the service loads no commands, and nothing that many services never need', () => {
  const loaded = loadedWithAll('main.ts', 'postgres/embedded/server.ts', 'roles/serve.ts')
  assert.ok(loaded.includes('operations/implementations.ts'))
  const folders = /^(cli|imports|mcp|probes)\//
  const packages =
    /^(commander|yaml|nodemailer|@modelcontextprotocol|minisearch|@speed-highlight|pino-pretty|openid-client|@simplewebauthn|badge-maker|sharp|re2js)/
  assert.deepEqual(
    loaded.filter((name) => folders.test(name) || packages.test(name)),
    // Places of browsers are counted for all threads of a process.
    ['probes/browser/places.ts'],
  )
})
