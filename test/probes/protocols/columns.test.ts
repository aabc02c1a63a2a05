import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Columns } from '../../../src/probes/databases/columns.ts'

/** Texts of a column of numbers, and what they are read as. */
const NUMBERS: [what: string, text: string, read: string | number][] = [
  ['a number', '-12.50', -12.5],
  ['a number with an exponent', '1.5e3', 1_500],
  ['more digits than a number of JavaScript has', '9007199254740993', '9007199254740993'],
  ['a word', 'NaN', 'NaN'],
  ['exponents without end', `${'e'.repeat(1_000_000)}\n1`, `${'e'.repeat(1_000_000)}\n1`],
]

describe('a column of numbers', () => {
  for (const [what, text, read] of NUMBERS)
    it(`holds ${what}`, () => {
      const columns = new Columns()
      columns.name('n', 'number')
      columns.add([text])
      assert.deepEqual(columns.found().rows, [{ n: read }])
    })
})
