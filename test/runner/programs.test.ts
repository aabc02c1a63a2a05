import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { missingPrograms, PROGRAMS } from './programs.ts'

test('each program that tests need has a file of its own, and is missing where it is not found', async (t) => {
  const files = await readdir(join(import.meta.dirname, '../programs'))
  assert.deepEqual(
    files.sort(),
    Object.keys(PROGRAMS).map((name) => `${name}.test.ts`),
  )
  const folder = temporaryFolder(t)
  await writeFile(join(folder, 'caddy'), '#!/bin/sh\n[ "$*" = version ]', { mode: 0o755 })
  // It is there, but does not know what is wanted of it.
  await writeFile(join(folder, 'docker'), '#!/bin/sh\nexit 1', { mode: 0o755 })
  assert.deepEqual(
    await missingPrograms({ PATH: folder }),
    Object.keys(PROGRAMS).filter((name) => name !== 'caddy'),
  )
})
