import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openApiDocument } from '../../src/contract/openapi/document.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { runProgram } from '../support/programs.ts'

const ROOT = join(import.meta.dirname, '../..')
const SITE = 'https://upbeat.example.org'

/** The compiler settings of most projects; stricter ones hide that an optional member may be undefined. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: [],
    skipLibCheck: true,
  },
  include: ['client.ts'],
}

describe('a client that orval writes compiles under strict TypeScript', () => {
  for (const client of ['fetch', 'zod']) {
    it(client, async (t) => {
      // Inside the project, so that what is generated finds zod.
      const folder = await mkdtemp(join(ROOT, '.generated-client-'))
      t.after(() => rm(folder, { recursive: true, force: true }))
      const urls = { siteUrl: SITE, baseUrl: `${SITE}/api/v1`, docsUrl: `${SITE}/docs` }
      const document = openApiDocument({ ...urls, version: '2026-11-22' })
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
      const files = ['--input', './openapi.json', '--output', './client.ts']
      runProgram('orval', [...files, '--client', client], { cwd: folder, env: process.env })
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], {
        encoding: 'utf8',
        timeout: HANG_GUARD_MS,
      })
      assert.equal(stdout, '')
    })
  }
})
