import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mixedContent } from '../../../../src/core/sites/crawl/mixed-content.ts'
import {
  MAX_LABEL_LENGTH,
  MAX_LINKS_OF_PAGE,
  readPage,
  upgradesInsecure,
} from '../../../../src/core/sites/crawl/page.ts'

describe('a page', () => {
  const links: [string, [string, string, string][]][] = [
    ['<a href=x>A  <b>bold</b>\nlink</a>', [['x', 'link', 'A bold link']]],
    ['<a href=x></a>', [['x', 'link', '<a href>']]],
    [
      '<a href=x><img src=y alt="A picture"></a>',
      [
        ['x', 'link', 'A picture'],
        ['y', 'passive', '<img src>'],
      ],
    ],
    [
      '<a href=x>not closed <a href=y>next</a>',
      [
        ['x', 'link', 'not closed'],
        ['y', 'link', 'next'],
      ],
    ],
    ['<A HREF="x&amp;y">é&eacute;</A>', [['x&y', 'link', 'éé']]],
    ['<a name=x>no link</a><a>none</a>', []],
    ['<!-- <a href=x>x</a> --><script>"<a href=y>"</script>', []],
    [
      '<img srcset="a 1x, b,c 2x">',
      [
        ['a', 'passive', '<img srcset>'],
        ['b,c', 'passive', '<img srcset>'],
      ],
    ],
    [
      '<img srcset="a, b">',
      [
        ['a', 'passive', '<img srcset>'],
        ['b', 'passive', '<img srcset>'],
      ],
    ],
    [
      '<link rel="preconnect" href=x><link rel="shortcut icon" href=y>',
      [['y', 'passive', '<link rel=icon>']],
    ],
    ['<form action=x></form><form></form>', [['x', 'form', '<form action>']]],
    [
      '<iframe src=x></iframe><object data=y></object>',
      [
        ['x', 'active', '<iframe src>'],
        ['y', 'active', '<object data>'],
      ],
    ],
  ]
  for (const [html, expected] of links) {
    it(`has links: ${html}`, () => {
      assert.deepEqual(
        readPage(html).links.map(({ href, use, label }) => [href, use, label]),
        expected,
      )
    })
  }

  it('says its title, its base and its canonical address, the first ones', () => {
    const page = readPage(
      '<title> A\n page </title><base href=/b><base href=/c><link rel=canonical href=/d><svg><title>No</title></svg>',
    )
    assert.deepEqual([page.title, page.base, page.canonical], ['A page', '/b', '/d'])
  })

  it('is bounded', () => {
    const page = readPage(`<a href=x>${'long '.repeat(1_000)}</a>`.repeat(MAX_LINKS_OF_PAGE + 3))
    assert.equal(page.links.length, MAX_LINKS_OF_PAGE)
    assert.equal(page.dropped, 3)
    assert.equal(page.links[0]?.label.length, MAX_LABEL_LENGTH)
  })

  const policies: [string, boolean][] = [
    ['upgrade-insecure-requests', true],
    ["default-src 'self'; Upgrade-Insecure-Requests;", true],
    ["default-src 'self'", false],
    ['report-uri /upgrade-insecure-requests', false],
  ]
  for (const [policy, isUpgrading] of policies) {
    it(`${isUpgrading ? 'upgrades' : 'does not upgrade'} by ${policy}`, () => {
      assert.equal(upgradesInsecure(policy), isUpgrading)
    })
  }

  it('uses content insecurely only if it is secure and loads it', () => {
    const page = readPage(
      '<base href="http://a.example/"><img src=i><script src=s></script><a href=l>x</a><img src="//b.example/j">',
    )
    const mixed = mixedContent('https://site.example/', page, '')
    assert.deepEqual(
      mixed.map(({ address, isBlocked }) => [address, isBlocked]),
      [
        ['http://a.example/i', false],
        ['http://a.example/s', true],
        ['http://b.example/j', false],
      ],
    )
    assert.deepEqual(mixedContent('http://site.example/', page, ''), [])
    assert.deepEqual(mixedContent('https://site.example/', page, 'upgrade-insecure-requests'), [])
  })
})
