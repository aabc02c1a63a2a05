import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { retryAfterMs } from '../../../../src/core/sites/crawl/asking.ts'
import { createBudget } from '../../../../src/core/sites/crawl/budget.ts'
import { MAX_PAGES_OF_SHAPE, MAX_TARGETS_PER_PAGE } from '../../../../src/core/sites/crawl/limits.ts'
import { MAX_CRAWL_DEPTH, MAX_CRAWL_PAGES } from '../../../../src/core/sites/site.ts'

const page = (path: string, depth = 1, isVouchedFor = false) => ({
  address: new URL(path, 'https://site.example'),
  isPage: true,
  depth,
  isVouchedFor,
})

describe('the budget of a crawl', () => {
  it('is so many pages, and says when one was left out', () => {
    const budget = createBudget(2)
    assert.deepEqual([budget.take(page('/a')), budget.take(page('/b'))], [null, null])
    assert.equal(budget.take(page('/c')), 'pages')
  })

  it('is so many levels', () => {
    const budget = createBudget(MAX_CRAWL_PAGES)
    assert.equal(budget.take(page('/a', MAX_CRAWL_DEPTH)), null)
    assert.equal(budget.take(page('/b', MAX_CRAWL_DEPTH + 1)), 'depth')
  })

  it('is so many pages of one shape, but for those that a sitemap names', () => {
    const budget = createBudget(MAX_CRAWL_PAGES)
    for (let day = 0; day < MAX_PAGES_OF_SHAPE; day++) budget.take(page(`/calendar?day=${day}`))
    assert.equal(budget.take(page('/calendar?day=x')), 'alike')
    assert.equal(budget.take(page('/calendar?day=x', 1, true)), null)
    assert.equal(budget.take(page('/news?day=x')), null)
  })

  it('is so many targets that are no pages', () => {
    const budget = createBudget(3)
    const target = { ...page('/a.png'), isPage: false }
    const taken = Array.from({ length: 3 * MAX_TARGETS_PER_PAGE + 2 }, () => budget.take(target))
    assert.equal(taken.filter((limit) => limit === null).length, 3 * MAX_TARGETS_PER_PAGE)
    assert.equal(taken.at(-1), 'targets')
  })
})

describe('an answer that asks for a rest', () => {
  const NOW = new Date('2026-01-01T00:00:00Z')
  const waits: [number, string | undefined, number | null][] = [
    [429, '120', 120_000],
    [503, ' 0 ', 0],
    [429, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    [429, 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
    [429, 'soon', null],
    [429, '-5', null],
    [429, undefined, null],
    [200, '120', null],
  ]
  for (const [code, value, ms] of waits) {
    it(`rests ${ms} ms after ${code} with Retry-After ${value}`, () => {
      assert.equal(retryAfterMs(code, { 'retry-after': value }, NOW), ms)
    })
  }
})
