import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from './scope.ts'

/** A folder of a test's own, gone with it. */
export function temporaryFolder(test: Pick<Scope, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'upbeat-test-'))
  test.after(async () => rmSync(folder, { recursive: true }))
  return folder
}
