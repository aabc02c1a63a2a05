import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createTerminal } from '../../src/cli/terminal.ts'
import { readConfig } from '../../src/config.ts'
import { openRegularFile, readRegularFile, readRegularFileSync } from '../../src/files/regular-file.ts'
import { readExport } from '../../src/imports/read-export.ts'
import { readDatabaseUrl } from '../../src/postgres/database-url.ts'
import { TERMS } from '../support/imports/read-exports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Each kind of thing that is no file, with the words that refuse it; nobody is at the other end of the pipe. */
async function others(t: TestContext): Promise<[path: string, said: RegExp][]> {
  const folder = temporaryFolder(t)
  const at = (name: string) => join(folder, name)
  execFileSync('mkfifo', [at('pipe')])
  mkdirSync(at('directory'))
  symlinkSync(at('pipe'), at('link'))
  const server = createServer().listen(at('socket'))
  await once(server, 'listening')
  t.after(() => server.close())
  return [
    [at('pipe'), /pipe is a pipe: it takes the path of a file/],
    [at('link'), /link is a pipe: it takes the path of a file/],
    [at('directory'), /directory is a directory: it takes the path of a file/],
    [at('socket'), /socket is a socket or a device: it takes the path of a file/],
    ['/dev/zero', /zero is a socket or a device: it takes the path of a file/],
  ]
}

const MAX_BYTES = 100_000

/** Everything that opens a path which a person names; `error` stands around the reason. */
const READERS: [name: string, read: (path: string) => unknown, error?: RegExp][] = [
  ['opening', async (path) => (await openRegularFile(path)).handle.close()],
  ['reading', (path) => readRegularFile(path, MAX_BYTES)],
  ['reading at once', (path) => readRegularFileSync(path, MAX_BYTES)],
  ['import uptime-kuma', (path) => readExport('uptime-kuma', [path], TERMS)],
  ['import gatus', (path) => readExport('gatus', [path], TERMS)],
  ['import healthchecks', (path) => readExport('healthchecks', [path], TERMS)],
  ['import uptimerobot', (path) => readExport('uptimerobot', [path], TERMS)],
  ['import postman', (path) => readExport('postman', [path], TERMS)],
  [
    'apply',
    (path) => createTerminal().readFile(path),
    /it takes the path of a file, or - for standard input$/,
  ],
  ['PLANS_FILE', (path) => readConfig({ PLANS_FILE: path }), /^PLANS_FILE is .*a readable JSON file/],
  [
    'sslrootcert',
    (path) => readDatabaseUrl(`postgres://h/d?sslmode=verify-ca&sslrootcert=${path}`),
    /^sslrootcert of a readable PEM file/,
  ],
]

describe('a path that leads to no file is refused at once, whoever reads it', () => {
  for (const [name, read, around] of READERS) {
    it(name, async (t) => {
      for (const [path, said] of await others(t)) {
        await assert.rejects(
          async () => await read(path),
          (error: Error) => {
            const text = error.message
            assert.match(text, said)
            if (around) assert.match(text, around)
            return true
          },
        )
      }
    })
  }
})

describe('a file', () => {
  it('is read whole up to its bound, which it says when it is larger', async (t) => {
    const path = join(temporaryFolder(t), 'file')
    writeFileSync(path, 'x'.repeat(MAX_BYTES))
    assert.equal((await readRegularFile(path, MAX_BYTES)).length, MAX_BYTES)
    assert.equal(readRegularFileSync(path, MAX_BYTES).length, MAX_BYTES)
    truncateSync(path, 1024 * 1024 + 1)
    const said = /file is larger than the 1 MiB that are read/
    await assert.rejects(readRegularFile(path, 1024 * 1024), said)
    assert.throws(() => readRegularFileSync(path, 1024 * 1024), said)
  })

  it('of the system, which has no size, is read all the same, and counted', async () => {
    const path = '/proc/self/status'
    assert.match((await readRegularFile(path, MAX_BYTES)).toString(), /^Name:/)
    assert.match(readRegularFileSync(path, MAX_BYTES).toString(), /^Name:/)
    await assert.rejects(readRegularFile(path, 10), /is larger than/)
    assert.throws(() => readRegularFileSync(path, 10), /is larger than/)
  })

  it('that is not there has the error of the system', async () => {
    await assert.rejects(readRegularFile('/nowhere/file', 1), /ENOENT/)
    assert.throws(() => readRegularFileSync('/nowhere/file', 1), /ENOENT/)
  })
})
