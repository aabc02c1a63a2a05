import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pageOf } from '../../src/core/pagination.ts'

const PATH = 'https://upbeat.example/api/v1/monitors'

/** A page of a list of `total` records, 10 on each page. */
function pageNumber(page: number, total: number, query: Record<string, string> = {}) {
  const count = Math.max(0, Math.min(10, total - (page - 1) * 10))
  return pageOf({ path: PATH, query, page, perPage: 10, total, count })
}

describe('the pages of a list', () => {
  test('an empty list has one page, from nothing to nothing', () => {
    const { links, meta } = pageNumber(1, 0)
    assert.deepEqual(links, { first: `${PATH}?page=1`, last: `${PATH}?page=1`, prev: null, next: null })
    assert.deepEqual([meta.from, meta.to, meta.last_page, meta.total], [null, null, 1, 0])
  })

  test('filters carry over into every link', () => {
    const { links, meta } = pageNumber(2, 25, { type: 'http', per_page: '10' })
    assert.deepEqual(links, {
      first: `${PATH}?type=http&per_page=10&page=1`,
      last: `${PATH}?type=http&per_page=10&page=3`,
      prev: `${PATH}?type=http&per_page=10&page=1`,
      next: `${PATH}?type=http&per_page=10&page=3`,
    })
    for (const { url } of meta.links) assert.ok(url?.includes('type=http&per_page=10'))
    assert.deepEqual([meta.current_page, meta.from, meta.to, meta.path, meta.per_page], [2, 11, 20, PATH, 10])
  })

  test('the last page ends where the list ends', () => {
    const { links, meta } = pageNumber(3, 25)
    assert.deepEqual([meta.from, meta.to, links.next], [21, 25, null])
  })

  test('a page beyond the last is empty, and the page before it is its previous one', () => {
    const { links, meta } = pageNumber(9, 25)
    assert.deepEqual([meta.from, meta.to, meta.current_page, meta.last_page], [null, null, 9, 3])
    assert.deepEqual([links.prev, links.next], [`${PATH}?page=8`, null])
  })

  const rows: [page: number, pages: number, labels: string][] = [
    [1, 1, '[1]'],
    [1, 3, '[1] 2 3'],
    [1, 20, '[1] 2 3 4 ... 19 20'],
    [5, 20, '1 2 3 4 [5] 6 7 8 ... 19 20'],
    [6, 20, '1 2 3 4 5 [6] 7 8 9 ... 19 20'],
    [10, 20, '1 2 ... 7 8 9 [10] 11 12 13 ... 19 20'],
    [20, 20, '1 2 ... 17 18 19 [20]'],
  ]
  for (const [page, pages, labels] of rows) {
    test(`page ${page} of ${pages}: ${labels}`, () => {
      const { links } = pageNumber(page, pages * 10).meta
      const [previous, next] = [links.at(0), links.at(-1)]
      assert.deepEqual([previous?.label, previous?.page], ['&laquo; Previous', page > 1 ? page - 1 : null])
      assert.deepEqual([next?.label, next?.page], ['Next &raquo;', page < pages ? page + 1 : null])
      const shown = links.slice(1, -1)
      assert.equal(shown.map(({ label, active }) => (active ? `[${label}]` : label)).join(' '), labels)
      for (const { url, page, label } of shown) {
        assert.deepEqual(
          [url, page],
          label === '...' ? [null, null] : [`${PATH}?page=${label}`, Number(label)],
        )
      }
    })
  }
})
