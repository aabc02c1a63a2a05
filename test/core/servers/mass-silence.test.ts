import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isMassSilence } from '../../../src/core/servers/mass-silence.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)

const rows: [string, number, number, number | null, number, boolean][] = [
  ['most are due at once and nothing is heard', 6, 10, 200, 1, true],
  ['few are due', 4, 4, 200, 1, false],
  ['no more than half are due', 5, 10, 200, 1, false],
  ['another server is heard', 6, 10, 60, 1, false],
  ['nothing was ever heard', 6, 10, null, 1, false],
  ['they have been held for long', 6, 10, 600, 301, false],
]
for (const [what, due, heardLately, newestAgo, dueAgo, isMass] of rows) {
  it(`${isMass ? 'holds' : 'tells'} silences where ${what}`, () => {
    const newestAt = newestAgo === null ? null : ago(newestAgo)
    assert.equal(isMassSilence({ due: Array(due).fill(ago(dueAgo)), heardLately, newestAt }, NOW), isMass)
  })
}
