import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const DASHBOARD = join(import.meta.dirname, '../../dashboard')
/** An error in its own line, as `Refused` writes it. */
const LINE = /role="alert"[^>]*>\s*\{sayProblem\(/

describe('the reason why a part of a screen is missing', () => {
  it('is written by `Refused`, inside `Answered` where there is an answer to wait for', () => {
    const files = globSync('{app,forms,parts,screens}/**/*.tsx', { cwd: DASHBOARD })
    assert.ok(files.length > 200)
    assert.deepEqual(
      files.filter((file) => LINE.test(readFileSync(join(DASHBOARD, file), 'utf8'))),
      [],
    )
    assert.match('<p role="alert" className="p-4 text-down">\n  {sayProblem(error)}', LINE)
  })
})
