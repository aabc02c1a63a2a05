import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CrawlLimit } from '../../../src/core/sites/crawl/limits.ts'
import { TOO_SLOW } from '../../../src/core/sites/crawl/unasked.ts'
import {
  homeUnread,
  isHomeUnread,
  limitReason,
  printReasons,
  storedReasons,
} from '../../../src/core/sites/cut-reason.ts'

const PRINTED: Record<CrawlLimit, string> = {
  pages: 'it has more than 2,000 pages, the most that a crawl looks at',
  depth: 'it has pages more than 10 levels deep',
  alike: 'it has more than 1,000 pages of one kind, as a calendar has',
  targets: 'it uses more than 4,000 addresses that are no pages of it',
  large: 'a page has more than 2 MiB, and the rest was not read',
  broken_off: 'a page broke off while it was read, or cannot be unpacked',
  many_links: 'a page has more than 5,000 links, and the rest was not looked at',
  long_address: 'a link is longer than 2,000 characters',
  sitemaps: 'it has more than 100 sitemaps',
  refused: 'its server answered 429 again and again, and was left alone',
  time: 'it took longer than 20 hours',
}

describe('a reason why a crawl is not whole', () => {
  for (const [limit, text] of Object.entries(PRINTED) as [CrawlLimit, string][])
    it(`${limit}: prints in English as it always did`, () => {
      assert.equal(printReasons([limitReason(limit, 2_000)]), text)
      const long = `https://site.example/${'a'.repeat(300)}`
      const printed = printReasons([limitReason(limit, 2_000, long)]) ?? ''
      assert.ok(printed.startsWith(`${text}: https://site.example/`) && printed.length < text.length + 210)
    })

  const both = [limitReason('pages', 100), limitReason('large', 100, 'https://site.example/a: b')]
  const home = [homeUnread('answered 500')]
  const slow = [homeUnread(TOO_SLOW.said ?? '')]

  it('comes back as it was stored', () => {
    for (const reasons of [both, home, slow])
      assert.deepEqual(storedReasons(printReasons(reasons), reasons), reasons)
    assert.deepEqual(storedReasons(null, null), [])
    assert.deepEqual(storedReasons(null, both), [])
  })

  it('is what the text says where the release before wrote last', () => {
    const text = `${printReasons(both)}; it took longer than 20 hours`
    const [reason, ...others] = storedReasons(text, both)
    assert.equal(printReasons(reason ? [reason] : []), text)
    assert.deepEqual(others, [])
  })

  it('is read from a row that has the text alone', () => {
    assert.deepEqual(storedReasons(printReasons(home), null), home)
    assert.deepEqual(storedReasons(printReasons(slow), null), slow)
    const [earlier] = storedReasons(printReasons(both), null)
    assert.deepEqual(earlier, { code: 'earlier', text: '{whole}', values: { whole: printReasons(both) } })
  })

  it('says by its code that the home page could not be read', () => {
    assert.deepEqual([both, home, slow].map(isHomeUnread), [false, true, true])
    assert.ok(isHomeUnread(storedReasons(printReasons(home), null)))
  })
})
