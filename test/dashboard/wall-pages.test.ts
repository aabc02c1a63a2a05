import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wallPage } from '../../dashboard/screens/overview/wall-pages.ts'

const lines = Array.from({ length: 7 }, (_, index) => index)
const room = (height: number) => ({ height, line: 50, gap: 10, more: 20 })

describe('the pages of a wallboard', () => {
  // Seven lines and the gaps between them are 410 pixels high.
  const cases: [height: number, turn: number, shown: number[], pages: number][] = [
    [410, 0, lines, 1],
    [409, 0, [0, 1, 2, 3, 4, 5], 2],
    [409, 1, [6], 2],
    [409, 2, [0, 1, 2, 3, 4, 5], 2],
    [409, -1, [6], 2],
    [200, 1, [3, 4, 5], 3],
    [140, 6, [4, 5], 4],
    [0, 3, [3], 7],
  ]
  for (const [height, turn, shown, pages] of cases) {
    it(`of ${height} pixels at turn ${turn} show ${shown.join(', ')}`, () => {
      const page = wallPage(lines, room(height), turn)
      assert.deepEqual([page.shown, page.pages], [shown, pages])
      assert.deepEqual([...page.shown, ...page.hidden].sort(), lines, 'nothing is left out')
    })
  }

  it('are one until the room is known', () => {
    assert.deepEqual(wallPage(lines, null, 3), { shown: lines, hidden: [], pages: 1 })
  })
})
