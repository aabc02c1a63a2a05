import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ReadSitemap, readSitemap } from '../../../../src/core/sites/crawl/sitemap.ts'

const A = 'https://site.example/a?b=1&c=2'

describe('a sitemap', () => {
  const cases: [string, boolean, Pick<ReadSitemap, 'kind' | 'addresses'>, number][] = [
    [
      `<urlset><url><loc> https://site.example/a?b=1&amp;c=2 </loc></url></urlset>`,
      true,
      { kind: 'pages', addresses: [A] },
      0,
    ],
    [`<urlset><url><loc><![CDATA[${A}]]></loc></url></urlset>`, true, { kind: 'pages', addresses: [A] }, 0],
    [
      `<sitemapindex><sitemap><loc>${A}</loc></sitemap></sitemapindex>`,
      true,
      { kind: 'index', addresses: [A] },
      0,
    ],
    [
      `<urlset><url><loc>x:a</loc><image:image><image:loc>x:b</image:loc></image:image></url></urlset>`,
      true,
      { kind: 'pages', addresses: ['x:a'] },
      0,
    ],
    ['<html><loc>x:a</loc></html>', true, { kind: 'none', addresses: [] }, 1],
    ['<urlset></urlset>', true, { kind: 'pages', addresses: [] }, 1],
    ['', true, { kind: 'none', addresses: [] }, 1],
    [
      `https://site.example/a\r\n\n ${A}`,
      false,
      { kind: 'pages', addresses: ['https://site.example/a', A] },
      0,
    ],
    ['no address', false, { kind: 'none', addresses: [] }, 1],
  ]
  for (const [text, isXml, { kind, addresses }, faults] of cases) {
    it(`is ${kind} with ${faults} faults: ${text.slice(0, 60)}`, () => {
      const read = readSitemap(text, isXml)
      assert.deepEqual([read.kind, read.addresses, read.faults.length], [kind, addresses, faults])
    })
  }

  it('expands no entity', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    const read = readSitemap(`${bomb}<urlset><url><loc>https://site.example/&b;</loc></url></urlset>`, true)
    assert.deepEqual(read.addresses, ['https://site.example/&b;'])
  })

  it('may name 50,000 addresses', () => {
    const read = readSitemap(`<urlset>${`<url><loc>x:a</loc></url>`.repeat(50_002)}</urlset>`, true)
    assert.equal(read.addresses.length, 50_000)
    assert.deepEqual(read.faults, ['names 50002 addresses, of which 50,000 may be'])
  })
})
