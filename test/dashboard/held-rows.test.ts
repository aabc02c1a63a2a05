import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesOf, keepRows, withNewer } from '../../dashboard/parts/lists/held-rows.ts'

/** Rows of one letter each, with what is known of it: `a1 b1`. */
const rowsOf = (text: string) => text.split(' ').filter(Boolean)
const keyOf = (row: string) => row.charAt(0)

describe('rows that somebody reads', () => {
  it('keep their places, with what is known of them now', () => {
    const cases: [shown: string, latest: string, kept: string][] = [
      ['a1 b1 c1', 'a1 b1 c1', 'a1 b1 c1'],
      ['a1 b1 c1', 'c2 a2 b1', 'a2 b1 c2'],
      ['a1 b1 c1', 'd1 a2 b2', 'a2 b2 c1'],
      ['a1 b1 c1', '', 'a1 b1 c1'],
      ['', 'a1 b1', 'a1 b1'],
    ]
    for (const [shown, latest, kept] of cases)
      assert.deepEqual(keepRows(rowsOf(shown), rowsOf(latest), keyOf), rowsOf(kept), `${shown} → ${latest}`)
  })

  it('get what another answer knows of those that left', () => {
    assert.deepEqual(withNewer(rowsOf('a1 b1 c1'), rowsOf('c3 x3'), keyOf), rowsOf('a1 b1 c3'))
  })

  it('count what another order would change, and name what left', () => {
    const cases: [shown: string, latest: string, changed: number, left: string][] = [
      ['a b c', 'a b c', 0, ''],
      // One row moves, however many it passes.
      ['a b c d e', 'e a b c d', 1, ''],
      ['a b c', 'c b a', 2, ''],
      // A page that is full: one came, and pushed one out.
      ['a b c', 'd a b', 1, 'c'],
      ['a b c', 'a b', 1, 'c'],
      ['a b', 'a b c d', 2, ''],
      ['a b c', 'x y z', 3, 'a b c'],
      ['a b c d', 'x d a b', 2, 'c'],
    ]
    for (const [shown, latest, changed, left] of cases)
      assert.deepEqual(
        changesOf(rowsOf(shown), rowsOf(latest), keyOf),
        { changed, left: rowsOf(left) },
        `${shown} → ${latest}`,
      )
  })
})
