import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvLine } from '../../../src/core/reports/csv.ts'

describe('a line of a file for spreadsheets', () => {
  it('quotes what would end a cell or a line, and doubles quotes', () => {
    assert.equal(
      csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain']),
      '"a,b","say ""hi""","two\nlines",plain\r\n',
    )
  })

  it('leaves a cell of null empty, and writes numbers and truth values as they are', () => {
    assert.equal(csvLine([null, -1.5, 0, true, '']), ',-1.5,0,true,\r\n')
  })

  const formulas = ['=1+1', '+49 30', '-2', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠a']
  for (const text of formulas) {
    it(`keeps a spreadsheet from computing ${JSON.stringify(text)}`, () => {
      const cell = csvLine([text]).slice(0, -2).replace(/^"/, '')
      assert.ok(cell.startsWith(`'${text}`), cell)
    })
  }

  it('leaves a text alone that has such a sign inside only', () => {
    assert.equal(csvLine(['a=b', 'me@example.com']), 'a=b,me@example.com\r\n')
  })
})
