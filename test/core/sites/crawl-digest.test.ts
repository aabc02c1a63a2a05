import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AreaFindings,
  type AreaNews,
  digestCrawl,
  nameFindings,
} from '../../../src/core/sites/crawl-digest.ts'

const SITE = 'https://shop.example/start'
const link = (address: string, page: string, detail = 'answered 404') => ({
  address,
  detail,
  sources: page === '' ? [] : [{ page, label: 'a link' }],
})
const list = (...lines: string[]) => ({ lines, more: 0 })
const findings = (open: string[], fixed: string[] = []): AreaFindings => ({
  open: list(...open),
  fixed: list(...fixed),
})
const news = (changes: Partial<AreaNews>): AreaNews => ({
  ...{ area: 'links', event: 'site.degraded', cause: '1 new', since: new Date(5_000), findings: null },
  ...changes,
})

describe('the findings that a digest names', () => {
  const cases: [what: string, ReturnType<typeof link>, line: string][] = [
    ['a page of the site', link('https://shop.example/a', 'https://shop.example/b'), '/a on /b: HTTP 404'],
    [
      'another site',
      link('https://else.example/a', 'https://shop.example/'),
      'https://else.example/a on /: HTTP 404',
    ],
    ['a name like it', link('https://shop.example.org/a', ''), 'https://shop.example.org/a: HTTP 404'],
    [
      'no answer',
      link('https://shop.example/a', 'https://shop.example/b', 'no answer'),
      '/a on /b: no answer',
    ],
    [
      'a sitemap',
      link('https://shop.example/s.xml', 'https://shop.example/s.xml', 'is empty'),
      '/s.xml: is empty',
    ],
  ]
  for (const [what, finding, line] of cases)
    test(`${what}: ${line}`, () => assert.deepEqual(nameFindings(SITE, [finding]), list(line)))

  test('are five, and a number', () => {
    const many = Array.from({ length: 110 }, (_, index) => link(`https://shop.example/${index}`, ''))
    const { lines, more } = nameFindings(SITE, many)
    assert.deepEqual([lines.length, lines[4], more], [5, '/4: HTTP 404', 105])
  })

  test('are short, however long the address is', () => {
    const [line] = nameFindings(SITE, [link(`https://shop.example/${'x'.repeat(5_000)}`, '')]).lines
    assert.equal(line?.length, 200)
  })
})

describe('a crawl is told', () => {
  test('not at all without news', () => assert.equal(digestCrawl([]), null))

  test('in the words of its area, if it has news of one', () => {
    const one = digestCrawl([news({ findings: findings(['/a: HTTP 404'], ['/b']) })])
    assert.deepEqual(
      [one?.cause, one?.areas, one?.findings],
      ['1 new', ['links'], findings(['/a: HTTP 404'], ['/b'])],
    )
  })

  test('once, with the worst as the event and all areas by name', () => {
    const sitemap = news({
      area: 'sitemap',
      cause: '2 new',
      since: new Date(1_000),
      findings: findings(['/s: is empty']),
    })
    const over = news({
      event: 'site.recovery',
      cause: '3 links are broken',
      findings: findings([], ['/a on /b']),
    })
    const both = digestCrawl([over, sitemap])
    assert.deepEqual(both, {
      event: 'site.degraded',
      areas: ['links', 'sitemap'],
      cause: 'Links: all fixed; Sitemap: 2 new',
      since: new Date(1_000),
      findings: findings(['/s: is empty'], ['/a on /b']),
    })
    const well = digestCrawl([over, { ...over, area: 'sitemap', cause: '1 fault of the sitemap' }])
    assert.deepEqual(
      [well?.event, well?.cause],
      ['site.recovery', 'Links: 3 links are broken; Sitemap: 1 fault of the sitemap'],
    )
  })

  test('with five findings of all its areas', () => {
    const many = (area: AreaNews['area']) =>
      news({ area, findings: { open: { lines: ['/1', '/2', '/3', '/4', '/5'], more: 7 }, fixed: list() } })
    const { findings: named } = digestCrawl([many('links'), many('sitemap')]) ?? {}
    assert.deepEqual([named?.open.lines.length, named?.open.more], [5, 19])
  })
})
