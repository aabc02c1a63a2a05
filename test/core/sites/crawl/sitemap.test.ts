import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSitemap } from '../../../../src/core/sites/crawl/sitemap.ts'
import type { ReadSitemap } from '../../../../src/core/sites/crawl/sitemap-file.ts'

const A = 'https://site.example/a?b=1&c=2'
const WRITTEN = 'https://site.example/a?b=1&amp;c=2'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const urlset = (content: string, attributes = '') =>
  `<urlset xmlns="${NAMESPACE}"${attributes}>${content}</urlset>`
const index = (content: string) => `<sitemapindex xmlns="${NAMESPACE}">${content}</sitemapindex>`
const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`

type Case = [name: string, text: string, ReadSitemap['kind'], addresses: string[], faults: RegExp[]]

describe('a sitemap', () => {
  const cases: Case[] = [
    ['spaces', `<?xml version="1.0" encoding="UTF-8"?>\n${urlset(url(` ${WRITTEN} `))}`, 'pages', [A], []],
    ['a section', urlset(url(`<![CDATA[${A}]]>`)), 'pages', [A], []],
    [
      'a prefix',
      `<s:urlset xmlns:s="${NAMESPACE}"><s:url><s:loc>${WRITTEN}</s:loc></s:url></s:urlset>`,
      'pages',
      [A],
      [],
    ],
    ['an index', index(`<sitemap><loc>${WRITTEN}</loc></sitemap>`), 'index', [A], []],
    [
      'pictures',
      urlset(
        url(WRITTEN, '<image:image><image:loc>https://site.example/i</image:loc></image:image>'),
        ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"',
      ),
      'pages',
      [A],
      [],
    ],
    [
      'RSS',
      `<rss version="2.0"><channel><link>https://site.example/</link><item><title>T</title><link>${WRITTEN}</link></item></channel></rss>`,
      'feed',
      [A],
      [],
    ],
    [
      'Atom',
      `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://site.example/"/><entry><link rel="self" href="x"/><link href="${WRITTEN}"/></entry></feed>`,
      'feed',
      [A],
      [],
    ],
    [
      'a raw ampersand',
      urlset(url(A) + url('https://site.example/b')),
      'pages',
      [A, 'https://site.example/b'],
      [/not well-formed XML.*line 1, column \d+/],
    ],
    [
      'an element that is not closed',
      urlset('<url><loc>https://site.example/a</url>'),
      'pages',
      ['https://site.example/a'],
      [/not well-formed/],
    ],
    ['no end', `<urlset xmlns="${NAMESPACE}">${url(WRITTEN)}`, 'pages', [A], [/not well-formed/]],
    [
      'something before',
      ` \n<?xml version="1.0"?>${urlset(url(WRITTEN))}`,
      'pages',
      [A],
      [/not well-formed/],
    ],
    ['something behind', `${urlset(url(WRITTEN))}<p/>`, 'pages', [A], [/not well-formed/]],
    ['an unknown prefix', urlset(url(WRITTEN, '<image:image/>')), 'pages', [A], [/not well-formed.*prefix/]],
    [
      'another encoding',
      `<?xml version="1.0" encoding="ISO-8859-1"?>${urlset(url(WRITTEN))}`,
      'pages',
      [A],
      [/another encoding.*ISO-8859-1/],
    ],
    ['no namespace', `<urlset>${url(WRITTEN)}</urlset>`, 'pages', [A], [/not of the namespace/]],
    [
      'the namespace over https',
      urlset(url(WRITTEN)).replace('http:', 'https:'),
      'pages',
      [A],
      [/not of the namespace/],
    ],
    ['a page', '<html><loc>x:a</loc></html>', 'none', [], [/is no sitemap/]],
    ['nothing', '', 'none', [], [/not well-formed/, /is no sitemap/]],
    ['no entry', urlset(''), 'pages', [], [/names no address/]],
    [
      'an entry without address',
      urlset(`${url('')}${url(WRITTEN)}<url/>`),
      'pages',
      [A],
      [/without an address/],
    ],
    [
      'a relative address',
      urlset(url('/a') + url(WRITTEN)),
      'pages',
      [A],
      [/no whole address, such as "\/a"/],
    ],
    ['another scheme', urlset(url('ftp://site.example/') + url(WRITTEN)), 'pages', [A], [/no whole address/]],
    [
      'a long address',
      urlset(url(`https://site.example/${'x'.repeat(2_048)}`) + url(WRITTEN)),
      'pages',
      [A],
      [/longer than 2,048/],
    ],
    ...['2026-11-28', '2026', '2026-11', '2026-11-28T12:00Z', '2026-11-28T12:00:00.5+01:00', ''].map(
      (date): Case => [
        `the date ${date}`,
        urlset(url(WRITTEN, `<lastmod>${date}</lastmod>`)),
        'pages',
        [A],
        [],
      ],
    ),
    ...['28.11.2026', '2026-13-01', '2026-11-28 12:00:00', '2026-11-28T12:00:00', 'today'].map(
      (date): Case => [
        `the date ${date}`,
        urlset(url(WRITTEN, `<lastmod>${date}</lastmod>`)),
        'pages',
        [A],
        [/no W3C date/],
      ],
    ),
  ]
  for (const [name, text, kind, addresses, faults] of cases) {
    it(`with ${name} is ${kind} with ${faults.length} faults`, () => {
      const read = readSitemap(text, true)
      assert.deepEqual([read.kind, read.addresses], [kind, addresses])
      assert.equal(read.faults.length, faults.length, read.faults.join('\n'))
      for (const [at, fault] of faults.entries()) assert.match(read.faults[at] ?? '', fault)
    })
  }

  const texts: [string, ReadSitemap['kind'], string[], RegExp[]][] = [
    [`https://site.example/a\r\n\n ${A}`, 'pages', ['https://site.example/a', A], []],
    ['no address', 'none', [], [/no whole address, such as "no address"/, /names no address/]],
    [`# comment\n${A}`, 'pages', [A], [/no whole address/]],
  ]
  for (const [text, kind, addresses, faults] of texts) {
    it(`of lines is ${kind}: ${JSON.stringify(text)}`, () => {
      const read = readSitemap(text, false)
      assert.deepEqual([read.kind, read.addresses, read.faults.length], [kind, addresses, faults.length])
      for (const [at, fault] of faults.entries()) assert.match(read.faults[at] ?? '', fault)
    })
  }

  it('says each fault once, with its first example', () => {
    const read = readSitemap(urlset(['/a', '/b', '/c'].map((loc) => url(loc)).join('') + url(WRITTEN)), true)
    assert.deepEqual(read.faults, ['names what is no whole address, such as "/a"'])
  })

  it('expands no entity', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    const read = readSitemap(`${bomb}${urlset(url('https://site.example/&b;'))}`, true)
    assert.deepEqual([read.addresses, read.faults], [['https://site.example/&b;'], []])
  })

  it('may name 50,000 addresses', () => {
    const read = readSitemap(urlset(url('https://a.example/').repeat(50_002)), true)
    assert.equal(read.addresses.length, 50_000)
    assert.deepEqual(read.faults, ['names more than 50,000 addresses, the most that one may'])
  })

  it('gives up on what is full of errors', () => {
    const reader = readSitemap('\0'.repeat(5_000), true)
    assert.equal(reader.kind, 'none')
  })
})
